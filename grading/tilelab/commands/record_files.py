"""The record of a class as files, which every command that changes it writes anew."""

from __future__ import annotations

from pathlib import Path

from tilelab.commands.console import console
from tilelab.exports import gradebook, results_json
from tilelab.record import store
from tilelab.record.store import Store

EXPORTS = ("results.json", "gradebook.csv")


def write(record: Store, out: Path) -> None:
    """Writes results.json and gradebook.csv, and says so."""
    export(record, out)
    for name in (store.NAME, *EXPORTS):
        console.print(f"Wrote {out / name}", markup=False)


def export(record: Store, out: Path) -> None:
    """Writes results.json and gradebook.csv."""
    seed = int(record.setting("seed") or 0)
    results_json.write(out / "results.json", record.machines(), seed, record.each_grade())
    gradebook.write(out / "gradebook.csv", record.each_grade(), record.students())
