"""What common/estimator says of the launches of a call."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tilelab.model import stream
from tilelab.model.simulation import Estimates, Simulated, Unknown

_DECODER: msgspec.json.Decoder[Estimates] = msgspec.json.Decoder(Estimates)


def read(output: str) -> Sequence[Simulated] | str:
    """The launches in the estimator's output, or the sentence with which it abstained.

    Raises ValueError if the output is neither.
    """
    try:
        events = stream.read(output, _DECODER)
    except msgspec.ValidationError as error:
        raise ValueError(f"its estimates cannot be used ({error})") from error
    except msgspec.DecodeError as error:
        last = output.strip().rpartition("\n")[2]
        raise ValueError(f"the estimator said: {last[:200]}") from error
    for event in events:
        if isinstance(event, Unknown):
            return event.text
    return [one for one in events if isinstance(one, Simulated)]
