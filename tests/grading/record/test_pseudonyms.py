"""Names that are taken out of texts, and code that stays code."""

from __future__ import annotations

import time

import pytest

from tilelab.model.student import Student
from tilelab.record.pseudonyms import Pseudonyms

STUDENTS = [
    Student("amber", "Amber Quartz", "aq17@uni.example", "7700421"),
    Student("7700422", "José Núñez", "jose.nunez@uni.example", "7700422"),
    Student("li", "Li Long", "", "12"),
    Student("wei_k", "Wei Block-Müller", "", "0042"),
]
WORDS = {"long", "blockDim", "block", "chamber", "graded"}
NAMES = Pseudonyms(STUDENTS, WORDS)


def test_each_student_has_a_number_by_lot() -> None:
    assert sorted(NAMES.of.values()) == ["s001", "s002", "s003", "s004"]
    assert {Pseudonyms(STUDENTS, ()).of["amber"] for _ in range(200)} == set(NAMES.of.values())


@pytest.mark.parametrize(
    "text",
    [
        "/home/aq17/diff.cu: error",
        "amber.quartz@mail.example",
        "QUARTZ",
        "quartz_kernel",
        "kernelOfQuartz2",
        "José Núñez",
        "Jose\u0301 Nun\u0303ez",
        "wei_k did it",
        "id 7700421",
        "_7700422_",
        "Müller",
        "Muller",
        "NU\u0301N\u0303EZ and Jose",
    ],
)
def test_names_are_replaced(text: str) -> None:
    shown = NAMES.text(text).lower()
    for word in ("aq17", "quartz", "josé", "jose", "nu", "wei", "770042", "müller", "muller"):
        assert word not in shown
    assert "s00" in shown or "0000000" in shown


@pytest.mark.parametrize(
    "text", ["long n = blockDim.x;", "block 12", "0042", "chamber", "liquid", "weight = 1.0f"]
)
def test_words_of_labs_and_of_the_language_stay(text: str) -> None:
    assert NAMES.text(text) == text


def test_comments_that_name_somebody_go_and_lines_stay() -> None:
    source = '// by Wei\nint a; /* Mr.\n Long */ int b; // a block\nauto s = "// Amber";\n'
    number = NAMES.of["amber"]
    assert NAMES.source(source) == (
        f'// removed\nint a; /* removed */\n int b; // removed\nauto s = "// {number}";\n'
    )
    assert NAMES.source("int n; // a thread per element\n") == "int n; // a thread per element\n"


@pytest.mark.parametrize(
    "comment", ["by Xu", "li, 77", "thanks to Weiss", "WEI\u00df", "Ce\u0301line", "C\u00e9line_2"]
)
def test_short_names_and_other_spellings_are_names(comment: str) -> None:
    names = Pseudonyms([Student("li", "Xu Li", "", "77"), Student("k9", "Celine Weiß")], WORDS)
    assert names.source(f"int a; // {comment}\n") == "int a; // removed\n"
    assert names.source("int an; // liquid 177\n") == "int an; // liquid 177\n"
    if "77" not in comment:
        number = names.of["li" if "Xu" in comment else "k9"]
        assert number in names.text(f"\u00c9 {comment}.") and comment[-4:] not in names.text(
            comment
        )


def test_a_short_name_is_no_part_of_a_number() -> None:
    names = Pseudonyms([Student("x1")], ())
    assert names.text("x12 = x1 + 0x1 + x1_x1") == "x12 = s001 + 0x1 + s001_s001"


def test_a_word_of_everybodys_stays_in_messages() -> None:
    names = Pseudonyms([Student("an", "An Do")], ())
    assert names.text("an element of s") == "an element of s"
    assert names.source("// an element\n") == "// removed\n"


def test_fields_that_programs_compare_stay() -> None:
    names = Pseudonyms([Student("graded", "Partial Pass")], ())
    data = {"verdict": "graded", "status": "pass", "messages": ["graded", 1, None]}
    number = names.of["graded"]
    assert names.data(data) == {**data, "messages": [number, 1, None]}


def test_a_number_is_nobodys_name() -> None:
    names = Pseudonyms([Student(f"s00{n}", "S") for n in range(1, 4)] + [Student("ss02")], ())
    assert set(names.of.values()) == {"sss001", "sss002", "sss003", "sss004"}
    assert names.text("s001 and s002") == f"{names.of['s001']} and {names.of['s002']}"


@pytest.mark.parametrize("name", ["x" * 5000, "ab" * 100 + "c", "[a-z]*(", "\\", "Kim \u017fs"])
def test_odd_names_are_texts(name: str) -> None:
    names = Pseudonyms([Student("key01", name), Student("key02", name + name)], ())
    assert name[:200] not in names.text(f"by {name}") or len(name) < 3
    assert names.text("\u212aIM SS, k\u0131m, key01") != ""


def test_many_students_take_no_longer() -> None:
    many = [Student(f"k{n:06}", f"Name{n:05} Other{n:05}", f"m{n}@x.example") for n in range(2000)]
    names = Pseudonyms(many, WORDS)
    started = time.process_time()
    names.source("float x = in[threadIdx.x]; // nothing\n" * 2000)
    assert time.process_time() - started < 10
