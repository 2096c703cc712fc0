"""The command line, which collects all commands."""

from __future__ import annotations

import errno
import signal
import sys
from collections.abc import Callable

import typer

from tilelab.base.errors import InfraError, UserError
from tilelab.base.text import one_line
from tilelab.commands import (
    bench,
    check,
    docs,
    doctor,
    grade,
    hint,
    lint,
    new_lab,
    profile,
    quiz,
    show,
    test,
    verify,
)
from tilelab.commands.console import MACHINE_ERROR

# A full disk and the like, wherever they are noticed.
_MACHINE_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.ENOMEM, errno.EMFILE)

app = typer.Typer(
    name="tilelab",
    help="A course in GPU shared memory: check your own work, or grade a class.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

# In the order of the help text.
COMMANDS: tuple[Callable[..., None], ...] = (
    doctor.doctor,
    check.check,
    profile.profile,
    show.show,
    grade.grade,
    verify.verify,
    bench.bench,
    new_lab.new_lab,
    test.test,
    lint.lint,
    docs.docs,
    hint.hint,
    quiz.quiz,
)
for command in COMMANDS:
    app.command()(command)


def main() -> None:
    """Runs the command line.

    A user's mistake ends it with one clear line and exit status 2, the machine's with 3.
    """
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        app(prog_name="tilelab")
    except UserError as error:
        _fail(one_line(str(error)), 2)
    except InfraError as error:
        _fail(str(error), MACHINE_ERROR)
    except OSError as error:
        if error.errno not in _MACHINE_ERRORS:
            raise
        _fail(str(error), MACHINE_ERROR)


def _interrupt(signum: int, _: object) -> None:
    # Does what Ctrl-C does: removes work folders and stops running programs.
    raise KeyboardInterrupt


def _fail(message: str, status: int) -> None:
    print(f"tilelab: {message}", file=sys.stderr)
    sys.exit(status)
