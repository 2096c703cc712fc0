"""What common/estimator says of the launches of a call."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tilelab.model import stream
from tilelab.model.simulation import Compared, Estimates, Simulated, Unknown

_DECODER: msgspec.json.Decoder[Estimates] = msgspec.json.Decoder(Estimates)


def read(output: str) -> Sequence[Simulated] | str:
    """The launches in the estimator's output, or the sentence with which it abstained.

    Raises ValueError if the output is neither.
    """
    found = _events(output)
    return found if isinstance(found, str) else [one for one in found if isinstance(one, Simulated)]


def each(output: str) -> Sequence[Simulated | str]:
    """The answer to each launch of a program, as far as the output has whole lines.

    Raises ValueError if it has something else.
    """
    whole = output[: output.rfind("\n") + 1]
    found = [_answer(one) for one in _decoded(whole)]
    return [one for one in found if one is not None]


def _answer(event: Estimates) -> Simulated | str | None:
    match event:
        case Simulated():
            return event
        case Unknown():
            return event.text
        case _:
            return None


def comparisons(output: str) -> Sequence[Compared] | str:
    """The same for what was compared."""
    found = _events(output)
    return found if isinstance(found, str) else [one for one in found if isinstance(one, Compared)]


def _events(output: str) -> Sequence[Estimates] | str:
    events = _decoded(output)
    for event in events:
        if isinstance(event, Unknown):
            return event.text
    return events


def _decoded(output: str) -> Sequence[Estimates]:
    try:
        return stream.read(output, _DECODER)
    except msgspec.ValidationError as error:
        raise ValueError(f"its estimates cannot be used ({error})") from error
    except msgspec.DecodeError as error:
        last = output.strip().rpartition("\n")[2]
        raise ValueError(f"the estimator said: {last[:200]}") from error
