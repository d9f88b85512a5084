"""Commands that look after a store: consolidate, backup, verify, doctor."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from memoranda.cli import failures, render
from memoranda.cli.asking import ask
from memoranda.cli.command import verb
from memoranda.cli.state import State

if TYPE_CHECKING:
    from memoranda.records.upkeep import DoctorReport
    from memoranda.runtime.sync import Memory


@verb("consolidate --scope acme/alice", "consolidate --dry-run --json")
@click.option("--dry-run", is_flag=True, help="Say what would be done, and change nothing.")
def consolidate_command(state: State, dry_run: bool) -> None:
    """Tidies the scope, in short batches beside which others go on.

    What has expired is removed, what says the same becomes one entry, and where `max_entries` is set the least
    valuable entries are evicted. What is validated stays. Age alone removes nothing.
    """
    from memoranda.service.views import stats_view

    with state.scope() as scope:
        stats = scope.consolidate(dry_run=dry_run)
    if state.json:
        render.show_json({**stats_view(stats), "dry_run": dry_run})
        return
    if dry_run:
        render.note("nothing was changed; this is what would be done")
    fields = {name: value for name, value in stats_view(stats).items() if name != "evicted_ids"}
    render.show_fields({name.replace("_", " "): str(value) for name, value in fields.items()})
    render.show_lines(*(f"evicted  {id}" for id in stats.evicted_ids))


@verb("backup copy.db --store agent.db")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=False))
@click.option("--force", is_flag=True, help="Replace FILE if it is there already.")
def backup_command(state: State, file: Path, force: bool) -> None:
    """Copies the whole store to FILE while everybody keeps working.

    FILE is complete or not there, holds one state of all scopes, and is opened like the original: --store FILE. What
    is erased later stays in it.
    """
    with state.memory() as memory:
        memory.backup(file, force=force)
    size = file.stat().st_size
    if state.json:
        render.show_json({"file": render.plain_name(str(file)), "bytes": size})
        return
    render.show_lines(f"the store was copied to {file}, {size} bytes")


@verb("verify", "verify --store agent.db --json")
@click.pass_context
def verify_command(ctx: click.Context, state: State) -> None:
    """Verifies that the store is sound and that recall finds its entries.

    Nothing is changed. It ends with 1 when something is not as it should be; `doctor` says what can be done then.
    """
    with state.memory() as memory:
        report = memory.verify()
    if state.json:
        render.show_json(report.to_json())
    else:
        render.show_text(str(report))
    if not report.ok:
        ctx.exit(failures.FAILED)


@verb("doctor", "doctor --fix", "doctor --fix --yes --json")
@click.option("--fix", is_flag=True, help="Mend what can be mended without loss; a copy of the file is made before.")
@click.option("--yes", is_flag=True, help="With --fix: do not ask before.")
@click.pass_context
def doctor_command(ctx: click.Context, state: State, fix: bool, yes: bool) -> None:
    """Finds what is wrong with the store, and what could be better.

    With --fix it shows that first and asks whether to mend it. It ends with 1 while something is left to do.
    """
    if yes and not fix:
        raise click.UsageError("--yes belongs to --fix")
    with state.memory() as memory:
        report = memory.doctor()
        if fix and any(finding.mendable for finding in report.findings):
            report = _mend(memory, report, yes, show=not state.json)
    if state.json:
        render.show_json(report.to_json())
    else:
        render.show_text(str(report))
        if report.backup is not None:
            render.show_lines(f"a copy of what was before is in {report.backup}")
        elif not fix and any(finding.mendable for finding in report.findings):
            render.note("`memoranda doctor --fix` mends this")
    if not report.healthy:
        ctx.exit(failures.FAILED)


def _mend(memory: Memory, report: DoctorReport, yes: bool, *, show: bool) -> DoctorReport:
    mendable = [finding for finding in report.findings if finding.mendable]
    if not yes:
        if show:
            render.show_text(str(report))
        ask(f"Mend {', '.join(finding.kind for finding in mendable)}?", yes)
    return memory.doctor(fix=True)
