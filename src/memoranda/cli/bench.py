"""Commands that measure: bench recall, bench speed, bench compaction."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from memoranda.cli import render
from memoranda.cli.command import shared_options, verb, write_options
from memoranda.cli.state import State

if TYPE_CHECKING:
    from memoranda.bench.recall import Progress, RecallReport

_FILE = click.Path(path_type=Path, dir_okay=False, allow_dash=False)
_FOLDER = click.Path(path_type=Path, file_okay=False)
_SUITES = ("locomo", "longmemeval", "beam", "memdaily", "xquad")
_SHOWN = ("n", "R@5", "R@10", "R@20", "any@5", "all@5", "nDCG@10", "MRR")


class BenchGroup(click.Group):
    """The group of commands that measure; its help shows the shared options apart, as each command's does."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the commands, then the options."""
        self.format_commands(ctx, formatter)
        write_options(self, ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes an example."""
        program = ctx.find_root().info_name or "memoranda"
        with formatter.section("Example"):
            formatter.write(f"{'':{formatter.current_indent}}{program} bench speed --quick\n")


@click.group("bench", cls=BenchGroup, no_args_is_help=True)
@shared_options
def bench_command() -> None:
    """Measures how well recall finds things, how fast it is, and what compaction costs."""


@verb(
    "bench recall --suite locomo --data locomo10.json --rankings rankings.jsonl",
    "bench recall --suite longmemeval --data longmemeval_s.json --unit session --workers 2 --json",
)
@click.option("--suite", type=click.Choice(_SUITES), required=True, help="The data set that the file belongs to.")
@click.option("--data", type=_FILE, required=True, metavar="FILE", help="Its file: plain, .gz or .xz.")
@click.option(
    "--unit", type=click.Choice(("turn", "session")), default="turn", show_default=True, help="What is ranked."
)
@click.option("--rankings", type=_FILE, metavar="OUT", help="Write the rankings to OUT as JSON lines, as they come.")
@click.option(
    "--embedder",
    default="default",
    show_default=True,
    metavar="NAME",
    help="`default`, `none` for words only, a model's name, or package.module:name.",
)
@click.option("--embedding-cache", type=_FOLDER, metavar="DIR", help="Keep vectors in DIR from run to run.")
@click.option("--limit-questions", type=click.IntRange(min=1), metavar="N", help="Only the first N questions.")
@click.option(
    "--workers", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help="Processes that share it."
)
def recall_command(state: State, **given: Any) -> None:
    """Ranks what each question of a public data set asks for, and says how much of the evidence stands on top.

    Each conversation is remembered in a memory of its own, message by message, as an import would do it; then each
    question is recalled. Evidence and answers are not looked at until all is ranked. A copy of FILE without them is
    ranked alike, and no figures are shown.
    """
    from memoranda.bench.ranking import Approach
    from memoranda.bench.recall import run_recall

    approach = Approach(
        unit=given["unit"],
        embedder=given["embedder"],
        cache=given["embedding_cache"],
        settings=state.configuration().settings,
    )
    with _progress() as progress:
        report = run_recall(
            given["suite"],
            given["data"],
            approach,
            rankings=given["rankings"],
            limit_questions=given["limit_questions"],
            workers=given["workers"],
            progress=progress,
        )
    if state.json:
        render.show_json(report.to_json())
    else:
        _show_recall(report)


@verb("bench speed", "bench speed --quick --json")
@click.option("--sizes", metavar="N,N,...", help="Entries of the scopes to recall from; 1000,10000,100000 by default.")
@click.option("--quick", is_flag=True, help="Measure less, in half a minute.")
@click.option("--vectors", is_flag=True, help="Measure once more with vectors beside the words.")
@click.option("--folder", type=_FOLDER, metavar="DIR", help="Where files are made and removed; a temporary folder.")
def speed_command(state: State, sizes: str | None, quick: bool, vectors: bool, folder: Path | None) -> None:
    """Measures recall, writes, bytes on disk and memory, on made-up texts that are the same in every run.

    Vectors are random numbers: the time that a model takes to embed is not part of any figure.
    """
    from dataclasses import replace

    from memoranda.bench.speed.run import QUICK, Extent, run_speed

    extent = QUICK if quick else Extent()
    if sizes is not None:
        extent = replace(extent, sizes=_sizes(sizes))
    tell = render.note if sys.stderr.isatty() else None
    settings = state.configuration().settings
    report = run_speed(extent, quick=quick, vectors=vectors, settings=settings, folder=folder, progress=tell)
    if state.json:
        render.show_json(report)
        return
    for kind in ("words", "words_and_vectors"):
        if kind in report:
            _show_speed(kind.replace("_", " "), cast("dict[str, Any]", report[kind]))


@verb("bench compaction", "bench compaction --quick --json")
@click.option("--quick", is_flag=True, help="Measure less, in a few seconds.")
def compaction_command(state: State, quick: bool) -> None:
    """Measures counting of tokens, long requests, and how much of them stays the same, on made-up conversations.

    Other packages are measured beside it where they are installed: tiktoken, rs_bpe, quicktok, langchain-core.
    """
    from memoranda.bench.compaction.run import QUICK, Extent, run_compaction

    tell = render.note if sys.stderr.isatty() else None
    report = run_compaction(QUICK if quick else Extent(), quick=quick, progress=tell)
    if state.json:
        render.show_json(report)
    else:
        _show_compaction(report)


for _command in (recall_command, speed_command, compaction_command):
    bench_command.add_command(_command)


def _sizes(text: str) -> tuple[int, ...]:
    parts = [part.strip().replace("_", "") for part in text.split(",")]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise click.BadParameter("give numbers from 1 on with commas between, such as 1000,10000", param_hint="--sizes")
    return tuple(dict.fromkeys(int(part) for part in parts))


def _show_recall(report: RecallReport) -> None:
    render.show_lines(
        f"{report.data}: {report.questions:,} questions, {report.remembered:,} units, memories: {report.corpora:,}; "
        f"{report.seconds:.1f} s" + (f"; {report.blank} blank units left out" if report.blank else "")
    )
    if report.groups is None:
        render.note("the file holds no evidence, so there are no figures; score the rankings against the whole file")
        return
    names = sorted(report.groups, key=lambda name: (name != "all", name))
    rows = [(name, *(_figure(report.groups[name][column]) for column in _SHOWN)) for name in names]
    render.show_records(("group", *_SHOWN), rows, wide="group")


def _figure(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.4f}"


def _show_speed(kind: str, figures: dict[str, Any]) -> None:
    render.show_lines(f"{kind}:")
    columns = ("entries", "warm p50 ms", "warm p99 ms", "cold ms, new process", "cold ms, reopened", "resident MB")
    rows = [
        (
            f"{row['entries']:,}",
            f"{row['warm_p50_ms']:.2f}",
            f"{row['warm_p99_ms']:.2f}",
            f"{row['cold_process_ms']:.1f}",
            f"{row['cold_reopened_ms']:.1f}",
            _megabytes(row["resident_before_bytes"], row["resident_after_bytes"]),
        )
        for row in figures["recall"]
    ]
    render.show_records(columns, rows, wide="entries")
    beside, disk, write = figures["isolation"], figures["disk"], figures["write"]
    render.show_lines(
        f"{beside['entries']:,} entries beside {beside['others']:,} of others take {beside['warm_ratio']:.2f} times as "
        f"long as alone, cold {beside['cold_ratio']:.2f} times",
        f"on disk: {disk['bytes_per_entry']:,.0f} bytes an entry",
        f"written: {write['remember_per_s']:,.0f} a second one by one, "
        f"{write['remember_many_per_s']:,.0f} in commits of {write['remember_many_entries']:,}",
    )


def _show_compaction(report: dict[str, Any]) -> None:
    counting, prefix = report["counting"], report["prefix"]
    render.show_lines(f"tokens counted a second, in texts of {counting['text_characters']:,} characters:")
    _show_rows(
        "counter",
        counting["rows"],
        {"encoding": "", "kind": "", "tokens_per_s": ",", "ratio": ".3f", "mismatches": ","},
    )
    render.show_lines(
        f"one new message at the end of a list, counted by {report['counter']}; us for each other message:"
    )
    _show_rows(
        "way",
        report["unchanged"],
        {"messages": ",", "unchanged_us": ".2f", "first_us": ".2f", "counted_tokens": ",", "new_tokens": ","},
    )
    render.show_lines(
        f"{prefix['requests']:,} requests of {prefix['turns']:,} turns, {prefix['tokens']:,} tokens in all, within "
        f"{prefix['budget_tokens']:,}:"
    )
    _show_rows(
        "way",
        prefix["ways"],
        {"prefix_share": ".1%", "tokens_sent": ",", "tokens_anew": ",", "invalid_requests": ",", "ms_a_request": ".2f"},
    )
    render.show_lines("one compaction with the default strategies:")
    _show_rows(
        "messages",
        report["compaction"],
        {"low_fraction": "", "ms": ".1f", "strategies_ms": ".1f", "tokens_before": ",", "tokens_after": ","},
    )
    for name, reason in (report["counters_skipped"] | prefix["skipped"]).items():
        render.note(f"not measured: {name}: {reason}")


def _show_rows(first: str, rows: list[dict[str, Any]], formats: dict[str, str]) -> None:
    """Shows a table of some fields of rows, each in its format."""
    titles = tuple(name.replace("_", " ") for name in (first, *formats))
    render.show_numbers(
        titles, [(str(row[first]), *(format(row[name], how) for name, how in formats.items())) for row in rows]
    )


def _megabytes(before: int | None, after: int | None) -> str:
    return "" if before is None or after is None else f"{before / 1e6:.0f} -> {after / 1e6:.0f}"


@contextmanager
def _progress() -> Iterator[Progress | None]:
    """Gives a progress bar on stderr, where a person can see it."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    done = TextColumn("{task.fields[corpora]} memories, {task.fields[questions]} questions")
    with Progress(SpinnerColumn(), done, TimeElapsedColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("recall", corpora=0, questions=0, total=None)
        yield lambda corpora, questions: bar.update(task, corpora=corpora, questions=questions)
