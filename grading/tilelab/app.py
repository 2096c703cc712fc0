"""The command line, which collects all commands."""

from __future__ import annotations

import errno
import importlib
import signal
import sys
import textwrap
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from tilelab.base.errors import InfraError, UserError
from tilelab.base.text import one_line
from tilelab.base.version import version
from tilelab.commands.console import MACHINE_ERROR

# A full disk and the like, wherever they are noticed.
_MACHINE_ERRORS = (
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EROFS,
    errno.EIO,
    errno.ENOMEM,
    errno.EMFILE,
    errno.EACCES,
)

# What asks students, for whom the names say enough.
_ASKING = "quiz progress viva detective parsons".split()
# In the order of the help text. Each is a function of the module with the same name in a folder of
# commands/.
FOLDERS = {
    "student": [
        *"list check watch hint profile show run estimate solution reset doctor".split(),
        *_ASKING,
    ],
    "instructor": (
        "publish collect grade adjust comment merge feedback report export similar forget archive "
        "verify calibrate new-lab"
    ).split(),
    "maintainer": "bench measure test fuzz lint lock wheel docs".split(),
}
COMMANDS = {name: folder for folder, names in FOLDERS.items() for name in names}


class _Commands(TyperGroup):
    """Imports a command when it is used, because a student waits for the import of all of them."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [name for name in COMMANDS if _is_here(name)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        if not _is_here(cmd_name):
            raise UserError(f"this copy of TileLab is for students and has no {cmd_name}")
        module = importlib.import_module(f"tilelab.commands.{COMMANDS[cmd_name]}.{name}")
        alone = typer.Typer(add_completion=False)
        own_class = getattr(module, "Command", None)
        alone.command(cmd_name, cls=own_class)(getattr(module, name))
        return typer.main.get_command(alone)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        # The commands alone, and of those for instructors only the names: the list has to fit on a
        # small terminal.
        described = [name for name in FOLDERS["student"] if name not in _ASKING]
        rows = [(name, self.get_command(ctx, name).get_short_help_str(80)) for name in described]
        with formatter.section("Commands"):
            formatter.write_dl(rows)
        formatter.write_paragraph()
        formatter.write(f"To test yourself: {', '.join(filter(_is_here, _ASKING))}.\n")
        for folder in ("instructor", "maintainer"):
            if here := [name for name in FOLDERS[folder] if _is_here(name)]:
                names = f"For {folder}s: {', '.join(here)}."
                formatter.write(f"{textwrap.fill(names, 80, break_on_hyphens=False)}\n")


def _is_here(command: str) -> bool:
    """Whether this copy has a command. What `publish` writes for students has only theirs."""
    file = f"{command.replace('-', '_')}.py"
    return Path(__file__).with_name("commands").joinpath(COMMANDS[command], file).is_file()


app = typer.Typer(
    name="tilelab",
    cls=_Commands,
    help="A course in GPU shared memory, with or without a GPU.",
    context_settings={"help_option_names": ["-h", "--help"]},
    options_metavar="[-h] [--version] [--install-completion]",
    subcommand_metavar="COMMAND ...",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _show_version(is_wanted: bool) -> None:
    if is_wanted:
        print(f"tilelab {version()}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    show_version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_show_version)
    ] = False,
) -> None:
    """A course in GPU shared memory, with or without a GPU."""
    if context.invoked_subcommand is None:
        context.invoke(importlib.import_module("tilelab.commands.student.list").list)


def main() -> None:
    """Runs the command line.

    A user's mistake ends it with one clear line and exit status 2, the machine's with 3.
    """
    signal.signal(signal.SIGTERM, _interrupt)
    # A terminal that is closed; but who ignores that, as nohup does, wants to go on.
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signal.signal(signal.SIGHUP, _interrupt)
    try:
        app(prog_name="tilelab")
    except UserError as error:
        _fail(one_line(str(error)), 2)
    except InfraError as error:
        _fail(str(error), MACHINE_ERROR)
    except OSError as error:
        if error.errno not in _MACHINE_ERRORS:
            raise
        where = f"{error.filename}: " if error.filename else ""
        _fail(f"{where}{error.strerror}", MACHINE_ERROR)


def _interrupt(signum: int, _: object) -> None:
    # Does what Ctrl-C does: removes work folders and stops running programs.
    raise KeyboardInterrupt


def _fail(message: str, status: int) -> None:
    print(f"tilelab: {message}", file=sys.stderr)
    sys.exit(status)
