"""The records of the C++ programs, common/schema, and those of this package are the same."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from msgspec import NODEFAULT, inspect

from support import REPO
from tilelab.model import estimated_call, events, program, recording, simulation, stream

STREAMS: Mapping[str, Any] = {
    "judgment": events.Event,
    "program": program.ProgramEvent,
    "recording": recording.Recorded,
    "job": simulation.Job,
    "stored_results": estimated_call.StoredResults,
    "estimates": simulation.Estimates,
    "calibration": simulation.Calibration,
}

# The type of each field by its path, and whether every record has it.
Paths = dict[str, tuple[str, bool]]


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What C++ says of its records."""
    program = tmp_path_factory.mktemp("schema") / "describe"
    source = REPO / "tests" / "common" / "schema" / "describe.cpp"
    words = ["g++", "-std=c++20", "-I", REPO / "common", source, "-o", program]
    subprocess.run(words, check=True)
    found: dict[str, Any] = json.loads(subprocess.check_output([program]))
    return found


def of_cpp(path: str, kind: Any, required: bool = True) -> Iterator[tuple[str, tuple[str, bool]]]:
    """The fields of a type of C++, as describe.cpp writes it."""
    match kind:
        case str():
            yield path, (kind, required)
        case {"record": fields}:
            yield path, ("record", required)
            for name, field in fields.items():
                yield from of_cpp(f"{path}.{name}", field["type"], field["required"])
        case {"list": item}:
            yield path, (f"{kind.get('length', '')}[]", required)
            yield from of_cpp(f"{path}[]", item)
        case {"map": value}:
            yield path, ("{}", required)
            yield from of_cpp(f"{path}{{}}", value)
        case _:
            raise AssertionError(kind)


def of_python(
    path: str, kind: inspect.Type, required: bool = True
) -> Iterator[tuple[str, tuple[str, bool]]]:
    """The fields of a type of Python."""
    match kind:
        case inspect.StructType(array_like=True, fields=fields):
            yield path, (f"{len(fields)}[]", required)
            yield from {
                one: it for field in fields for one, it in of_python(f"{path}[]", field.type)
            }.items()
        case inspect.StructType(fields=fields):
            yield path, ("record", required)
            for field in fields:
                has_default = (
                    field.default is not NODEFAULT or field.default_factory is not NODEFAULT
                )
                # What is unset is not read, but found out later.
                if field.required or has_default:
                    name = f"{path}.{field.encode_name}"
                    yield from of_python(name, field.type, field.required)
        case inspect.UnionType(types=types):
            known = [one for one in types if not isinstance(one, inspect.NoneType)]
            if {type(one) for one in known} == {inspect.IntType, inspect.FloatType}:
                known = [one for one in known if isinstance(one, inspect.FloatType)]
            (one,) = known
            yield from of_python(path, one, required)
        case inspect.TupleType(item_types=types):
            yield path, (f"{len(types)}[]", required)
            yield from dict(one for it in types for one in of_python(f"{path}[]", it)).items()
        case inspect.VarTupleType(item_type=item):
            yield path, ("[]", required)
            yield from of_python(f"{path}[]", item)
        case inspect.DictType(value_type=value):
            yield path, ("{}", required)
            yield from of_python(f"{path}{{}}", value)
        case inspect.StrType() | inspect.LiteralType():
            yield path, ("text", required)
        case inspect.BoolType():
            yield path, ("flag", required)
        case inspect.IntType():
            yield path, ("integer", required)
        case inspect.FloatType():
            yield path, ("number", required)
        case _:
            raise AssertionError(kind)


def of_stream(name: str) -> Paths:
    """The fields of all events of a stream of this package."""
    found = inspect.type_info(STREAMS[name])
    assert isinstance(found, inspect.UnionType)
    paths: Paths = {}
    for one in found.types:
        assert isinstance(one, inspect.StructType)
        paths |= dict(of_python(str(one.tag), one))
    return paths


def test_the_versions_are_the_same(described: dict[str, Any]) -> None:
    assert described["version"] == stream.VERSION


def test_the_streams_are_the_same(described: dict[str, Any]) -> None:
    assert set(described["streams"]) == set(STREAMS)


@pytest.mark.parametrize("name", STREAMS)
def test_the_records_of_a_stream_have_the_same_fields(name: str, described: dict[str, Any]) -> None:
    here = of_stream(name)
    there: Paths = {}
    for event, fields in described["streams"][name].items():
        there |= dict(of_cpp(event, {"record": fields}))
    assert {path: kind for path, (kind, _) in here.items()} == {
        path: kind for path, (kind, _) in there.items()
    }
    # What C++ may leave out has a default here.
    assert not [path for path, (_, required) in here.items() if required > there[path][1]]
