"""The queue of a cluster, as far as it is about jobs of ours."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

from tilelab.base.errors import InfraError
from tilelab.cluster import slurm
from tilelab.cluster.slurm import Element, SlurmError

# A controller that is restarted does not answer for a while.
_PATIENCE_SECONDS = 900

# Hears what a person may want to know.
Say = Callable[[str], None]


class Queue:
    """Remembers what squeue said last. Jobs are known by their names, which are unique."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._elements: list[Element] = []
        self._silent_since: float | None = None
        self._said = ""

    def look(self, names: Collection[str]) -> None:
        """Asks squeue about the jobs with these names.

        Where it does not answer, nothing has changed. Raises InfraError after a quarter of an hour.
        """
        try:
            self._elements = [one for one in slurm.elements() if one.job_name in names]
            self._silent_since = None
        except SlurmError as error:
            now = time.monotonic()
            self._silent_since = self._silent_since or now
            if now - self._silent_since > _PATIENCE_SECONDS:
                raise InfraError(f"Slurm does not answer: {error}. The jobs go on.") from error
            self._tell(f"Slurm does not answer: {error}. Trying again.")
        else:
            self._tell_why_waiting()

    def of(self, name: str) -> list[Element]:
        return [one for one in self._elements if one.job_name == name]

    def is_alive(self, name: str) -> bool:
        return any(not one.has_ended for one in self.of(name))

    @contextmanager
    def canceled_on_error(self, names: Collection[str]) -> Iterator[None]:
        """Cancels the jobs with these names if Ctrl-C or an error ends the context."""
        try:
            yield
        except BaseException:
            with contextlib.suppress(SlurmError):
                self.cancel(names)
            raise

    def cancel(self, names: Collection[str]) -> None:
        alive = [one for one in slurm.elements() if one.job_name in names and not one.has_ended]
        # The number of an array is that of all its elements.
        slurm.cancel(sorted({one.id.partition("_")[0] for one in alive}))

    def _tell_why_waiting(self) -> None:
        alive = [one for one in self._elements if not one.has_ended]
        reasons = sorted({one.reason for one in alive if one.reason not in ("None", "Priority")})
        if reasons and all(one.state == "PENDING" for one in alive):
            self._tell(f"Slurm has started none of the jobs yet ({', '.join(reasons)}).")

    def _tell(self, text: str) -> None:
        if text != self._said:
            self._said = text
            self._say(text)
