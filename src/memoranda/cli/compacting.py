"""The command `compact`: makes a transcript fit a budget."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memoranda.cli import failures, render
from memoranda.cli.command import verb
from memoranda.cli.state import State

if TYPE_CHECKING:
    from memoranda.compaction.config import CompactionConfig
    from memoranda.service.transcripts import Transcript

_FORMATS = ("chat", "responses", "anthropic", "claude-code")
_FILE = click.Path(path_type=Path, allow_dash=True)
_STDIN = "-"
_WINDOW = 128_000
_FRACTION = 0.8


@verb(
    "compact chat.json --budget 4000 > shorter.json",
    "compact session.jsonl --fraction 0.5 --window 200000 --report",
    "compact - --budget 2000 --strategies clear-tool-results,drop-turns < chat.json",
)
@click.argument("file", type=_FILE)
@click.option("--budget", type=click.IntRange(min=1), metavar="N", help="Tokens that the transcript may have.")
@click.option(
    "--fraction",
    type=click.FloatRange(min=0, min_open=True, max=1),
    metavar="SHARE",
    help=f"The share of the window that it may have, instead of --budget; {_FRACTION} by default.",
)
@click.option(
    "--window",
    type=click.IntRange(min=1),
    metavar="N",
    default=_WINDOW,
    show_default=True,
    help="The model's window, in tokens.",
)
@click.option(
    "--encoder",
    metavar="NAME",
    default="o200k_base",
    show_default=True,
    help="The encoding or model whose tokens are counted.",
)
@click.option("--format", type=click.Choice(_FORMATS), help="The format; told from the content by default.")
@click.option("--strategies", metavar="A,B,...", help="Only these strategies, in this order; all by default.")
@click.option("--report", "as_report", is_flag=True, help="Write what was done, in words, instead of the transcript.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Write the transcript to FILE.")
@click.option("--force", is_flag=True, help="Replace FILE if it is there.")
@click.pass_context
def compact_command(
    ctx: click.Context,
    state: State,
    file: Path,
    budget: int | None,
    fraction: float | None,
    window: int,
    encoder: str,
    format: str | None,
    strategies: str | None,
    as_report: bool,
    out: Path | None,
    force: bool,
) -> None:
    """Makes the transcript FILE fit a budget, and writes it in its own format.

    FILE, or - for stdin, holds messages of OpenAI Chat, OpenAI Responses or Anthropic (a list, the body of a request,
    or a message a line), or is a session file of Claude Code, which is written as Anthropic messages. The system
    prompt, the last user message and pairs of calls and results stay whole. --json gives the report instead. It ends
    with 1 when what must stay is larger than the budget. No store is opened.
    """
    from memoranda.errors import InvalidInput
    from memoranda.runtime.files import write_lines
    from memoranda.service.compacting import compact

    if budget is not None and fraction is not None:
        raise click.UsageError("give either --budget or --fraction")
    if out is not None and out.exists() and not force:
        raise InvalidInput(f"{out} is there already; name another file, or replace it with --force")
    config = _config(budget, fraction or _FRACTION, window, encoder, strategies)
    transcript = _read(file, format)
    if transcript.note:
        render.note(transcript.note)
    done = compact(transcript, config)
    written = transcript.written(done.messages)
    if out is not None:
        write_lines(out, [written])
    if state.json:
        render.show_json(done.to_json())
    elif as_report:
        render.show_lines(*done.lines())
    else:
        if out is None:
            click.echo(written)
        render.note(done.report.lines()[0])
    if done.report.unmet:
        if not (state.json or as_report):  # those say it themselves
            render.note(f"still over the budget: {done.report.unmet}")
        ctx.exit(failures.FAILED)


def _config(budget: int | None, fraction: float, window: int, encoder: str, strategies: str | None) -> CompactionConfig:
    """Returns what the options say. One transcript is compacted once, so no further than needed."""
    from memoranda.compaction.config import CompactionConfig
    from memoranda.errors import InvalidInput
    from memoranda.service.compacting import strategies_named
    from memoranda.text.encodings import tokenizer

    try:
        tokenizer(encoder)
        return CompactionConfig(
            encoder_name=encoder,
            context_window_tokens=window,
            max_tokens=budget,
            max_fraction=None if budget is not None else fraction,
            low_fraction=1.0,
            strategies=None if strategies is None else strategies_named(strategies.split(",")),
        )
    except InvalidInput as error:
        raise click.UsageError(str(error)) from error


def _read(file: Path, format: str | None) -> Transcript:
    from memoranda.service.importing.reading import decode, read_text
    from memoranda.service.transcripts import read_transcript

    if str(file) == _STDIN:
        return read_transcript(decode(sys.stdin.buffer.read(), "stdin"), "stdin", format)
    return read_transcript(read_text(file), file.name, format)
