"""`tilelab watch`: checks a file each time it is saved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rich.markup import escape

from tilelab.base.errors import CompileError, InfraError, Rejected, UserError
from tilelab.base.files import from_here
from tilelab.base.text import one_line
from tilelab.commands import causes, options
from tilelab.commands.console import console
from tilelab.commands.student.show import show
from tilelab.model.failure import Causes
from tilelab.model.lab import Lab
from tilelab.model.result import Result
from tilelab.pipeline import intake
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.judge.events import Step
from tilelab.pipeline.profiling.profile import profile_file, profiler_of
from tilelab.pipeline.profiling.resources import figures_for, gpu_of
from tilelab.screens.check import show_cause, show_check
from tilelab.screens.course import show_course
from tilelab.screens.failure import hint, in_full
from tilelab.screens.hint import show_hint
from tilelab.screens.profile import show_profile
from tilelab.screens.results import show_machine
from tilelab.screens.waiting import SoFar
from tilelab.screens.watching import Screen
from tilelab.tutor import advice, progress, standing
from tilelab.tutor.progress import Progress
from tilelab.watch.checker import Checker
from tilelab.watch.keys import keys
from tilelab.watch.saves import Saves

_SECONDS = 0.05  # between two looks at the file

_LOOKING = "Looking for the cause..."


def watch(
    lab_name: options.LabOrFile,
    file: options.File = None,
    backend: options.Backend = None,
    seed: options.Seed = None,
    find_cause: options.FindCause = True,
) -> None:
    """Checks a file on each save, and shows what to fix first."""
    the_lab, path = options.lab_and_file(lab_name, file)
    session = options.session(backend, seed, [the_lab], without_seccomp=True)
    show_machine(console, session.machine())
    try:
        _Watch(the_lab, path, session, find_cause).run()
    except KeyboardInterrupt:
        console.print()


class _Watch:
    def __init__(self, the_lab: Lab, path: Path, session: Session, find_cause: bool) -> None:
        self._lab, self._path, self._session = the_lab, path, session
        self._shown = from_here(path)
        self._name = one_line(str(self._shown))
        self._find_cause = find_cause
        self._checker = Checker(path, the_lab, session, self._causes_of)
        self._so_far = SoFar(the_lab)
        self._is_testing = True
        self._shows_failure = False
        self._before = Progress()
        self._source: list[str] = []
        self._result: Result | None = None
        self._screen: Screen
        self._actions: dict[str, Callable[[], None]] = {
            "h": lambda: self._screen.below(self._hint),
            "a": lambda: self._screen.page(self._everything),
            "p": self._profile,
            "v": lambda: self._screen.below(self._picture),
            "l": lambda: self._screen.page(lambda: show_course(console, standing.of_course())),
            "r": self._check,
        }

    def run(self) -> None:
        """Returns when the user quits."""
        saves = Saves(self._path)
        with keys() as keyboard:
            self._screen = Screen(console, has_keys=keyboard.can_be_pressed)
            try:
                self._check()
                while (key := keyboard.wait(_SECONDS)) != "q":
                    if saves.is_new():
                        self._check()
                    elif action := self._actions.get(key):
                        action()
                    self._look()
            finally:
                self._checker.end()
                self._screen.line("")

    def _check(self) -> None:
        self._so_far = SoFar(self._lab)
        self._is_testing = True
        self._shows_failure = False
        self._source = _lines_of(self._path)
        self._checker.begin()

    def _look(self) -> None:
        """Shows what the check has found meanwhile."""
        for news in self._checker.news():
            if isinstance(news, BaseException):
                raise news
            if isinstance(news, Step):
                self._so_far.add(news)
                self._show_first_failure()
            elif isinstance(news, Causes):
                self._show_causes(news)
            else:
                self._show(news)
        if self._checker.is_running:
            self._screen.line(self._so_far.line if self._is_testing else _LOOKING)
        else:
            self._screen.idle()

    def _looks(self, result: Result) -> bool:
        return self._find_cause and causes.can_be_found(result, self._lab)

    def _causes_of(self, result: Result) -> Causes:
        return causes.of(result, self._lab, self._session) if self._looks(result) else Causes()

    def _show_causes(self, found: Causes) -> None:
        """Shows the causes below the verdict, or the hint that the verdict left out for them."""
        result = self._result
        if result is None or not self._looks(result):
            return
        advice.note_causes(self._lab, self._before, found)
        self._screen.below(lambda: show_cause(console, self._lab, result, found))

    def _show(self, result: Result) -> None:
        self._result = result
        self._is_testing = False
        self._before = progress.load(self._lab.name)
        advised = advice.note_check(result, self._lab, self._path)

        def verdict() -> None:
            self._verdict(result)
            if advised:
                console.print(advised, markup=False)

        self._screen.page(verdict)

    def _verdict(self, result: Result, everything: bool = False) -> None:
        hint = everything or not self._looks(result)
        show_check(
            console, self._lab, self._shown, result, self._session.seed, everything, hint=hint
        )

    def _everything(self) -> None:
        if self._result:
            self._verdict(self._result, everything=True)

    def _show_first_failure(self) -> None:
        """Shows the first failure at once. What is first may still change, the rest follows."""
        failure = self._so_far.first_failure
        if failure is None or self._shows_failure or not self._screen.is_live:
            return
        self._shows_failure = True

        def first() -> None:
            console.print(f"[bold]{self._lab.title}[/] · {escape(self._name)} · still testing\n")
            for line in in_full(failure, self._name, self._source, console.width):
                console.print(line)
            for line in hint(failure, self._lab, self._source, console.width):
                console.print(line)

        self._screen.page(first)

    def _hint(self) -> None:
        state = progress.load(self._lab.name)
        lines, state = advice.hint(self._lab, state, advice.text_of(self._path))
        console.print()
        show_hint(console, lines)
        progress.save(self._lab.name, state)

    def _picture(self) -> None:
        try:
            show(self._lab.name, self._path, seed=self._session.seed)
        except (UserError, InfraError, OSError) as error:
            console.print(f"There is no picture: {error}", style="red", markup=False)

    def _profile(self) -> None:
        self._screen.line("Profiling...")
        try:
            gpu = gpu_of(None)
            result = profile_file(
                self._path, self._lab, self._session, gpu, figures=figures_for(gpu, None)
            )
        except (Rejected, CompileError, InfraError, UserError, OSError) as error:
            why = f"There is no profile: {error}"
            self._screen.below(lambda: console.print(why, style="red", markup=False))
        else:
            profiler = profiler_of(self._session)
            self._screen.page(lambda: show_profile(console, result, profiler))


def _lines_of(path: Path) -> list[str]:
    """The lines that failures quote. None if the file cannot be read, which the check will say."""
    try:
        return intake.read(path).text.splitlines()
    except (OSError, Rejected):
        return []
