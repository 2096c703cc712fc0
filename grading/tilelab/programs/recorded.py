"""What a program launched while it ran, and what memory held then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from tilelab.base.errors import InfraError, UserError
from tilelab.model import stream
from tilelab.model.recording import Image, Launch, LeftOut, Recorded, Repeats, Variables
from tilelab.model.stream import End

_CHUNK = 64 * 1024  # schema::chunk_bytes

_DECODER: msgspec.json.Decoder[Recorded] = msgspec.json.Decoder(Recorded)


@dataclass(frozen=True)
class RecordedLaunch:
    """A launch, with the memory that it found, and how often it was made.

    They `differ` if others of them had other arguments.
    """

    launch: Launch
    memory: tuple[Image, ...]
    launches: int = 1
    differ: bool = False

    @property
    def is_known(self) -> bool:
        """Whether the recording has all of the memory."""
        return all(one.chunks or not one.bytes for one in self.memory)


@dataclass(frozen=True)
class ProgramRecording:
    """The launches of a program in the order of the first of each, and where its memory is kept.

    Addresses are `bias` above those that it was linked for. `left_out` launches are not here.
    """

    launches: Sequence[RecordedLaunch]
    chunks: Path
    bias: int
    left_out: int


def read(folder: Path) -> ProgramRecording:
    """Reads what a program left in a folder. Raises UserError if it left nothing whole."""
    try:
        text = (folder / "launches").read_text(encoding="utf-8")
        events = stream.read(text, _DECODER)
    except OSError:
        events = []
    except msgspec.ValidationError as error:
        raise InfraError(f"the recording of the launches cannot be used: {error}.") from error
    except msgspec.DecodeError:  # half a line
        events = []
    if not events or not isinstance(events[-1], End):
        raise UserError("the program was killed before its launches were written down")
    launches: list[RecordedLaunch] = []
    memory: list[Image] = []
    bias = left_out = 0
    for event in events:
        match event:
            case Variables():
                bias = event.address
            case Image():
                memory.append(event)
            case Launch():
                launches.append(RecordedLaunch(event, tuple(memory)))
                memory = []
            case Repeats():
                seen = launches[event.launch]
                launches[event.launch] = replace(seen, launches=event.launches, differ=event.differ)
            case LeftOut():
                left_out = event.launches
    return ProgramRecording(launches, folder / "memory", bias, left_out)


def bytes_at(memory: Sequence[Image], chunks: Path, address: int, size: int) -> bytes | None:
    """What memory held, None if that is not known."""
    for image in memory:
        offset = address - image.address
        if image.chunks and offset >= 0 and offset + size <= image.bytes:
            return b"".join(_pieces(image, chunks, offset, size))
    return None


def _pieces(image: Image, chunks: Path, offset: int, size: int) -> Iterator[bytes]:
    with chunks.open("rb") as file:
        while size > 0:
            number, begin = divmod(offset, _CHUNK)
            count = min(size, _CHUNK - begin)
            chunk = image.chunks[number]
            if chunk:
                file.seek((chunk - 1) * _CHUNK + begin)
            yield file.read(count) if chunk else bytes(count)
            offset, size = offset + count, size - count
