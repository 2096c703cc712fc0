"""Who is who in a gradebook."""

from __future__ import annotations

from tilelab.exports.matching import Person, match
from tilelab.model.student import Student

ADA = Student("ada", "Ada Lovelace", "ada@x.example", "0042", login="al15")


def rows(students: list[Student], people: list[Person]) -> dict[str, int]:
    return match(students, people).rows


def test_ids_logins_and_addresses_match() -> None:
    for label in ("0042", "ADA@x.example", "AL15", "ada"):
        assert rows([ADA], [Person(3, "A. Byron", ("17", label))]) == {"ada": 3}


def test_an_id_is_not_a_number() -> None:
    assert rows([ADA], [Person(3, "", ("42",))]) == {}


def test_names_match_in_any_order_and_form() -> None:
    for name in ("Lovelace, Ada", "ADA LOVELACE", "Lovelace,Ada"):
        assert rows([ADA], [Person(1, name)]) == {"ada": 1}
    zoe = Student("z", "Zoe\u0308 Martin")
    assert rows([zoe], [Person(1, "Martin, Zo\u00eb")]) == {"z": 1}


def test_a_label_counts_more_than_a_name() -> None:
    people = [Person(1, "Ada Lovelace", ("7",)), Person(2, "Countess", ("0042",))]
    assert rows([ADA], people) == {"ada": 2}


def test_it_is_said_for_whom_only_the_name_speaks() -> None:
    bob = Student("bob", "Bob Lovelace", id="0043")
    people = [Person(1, "Ada Lovelace", ("7",)), Person(2, "Bob Lovelace", ("0043",))]
    assert match([ADA], people).by_name == ["ada"]
    assert match([bob], people).by_name == []
    # One side has nothing but names.
    assert match([Student("ada", "Ada Lovelace")], people).by_name == []
    assert match([ADA], [Person(1, "Ada Lovelace")]).by_name == []


def test_the_name_of_somebody_whose_id_is_known_belongs_to_nobody_else() -> None:
    other = Student("other", "Ada Lovelace", "other@x.example")
    found = match([other, ADA], [Person(1, "Ada Lovelace", ("0042",))])
    assert found.rows == {"ada": 1} and found.without_row == [other]
    people = [Person(1, "Ada Lovelace", ("0042",)), Person(2, "Ada Lovelace", ("7",))]
    assert rows([other, ADA], people) == {"ada": 1, "other": 2}


def test_whoever_could_be_two_people_is_nobody() -> None:
    twins = [Person(1, "Ada Lovelace"), Person(2, "Ada Lovelace")]
    found = match([ADA], twins)
    assert not found.rows and found.without_row == [ADA] and found.without_student == twins
    other = Student("other", "Ada Lovelace")
    assert not rows([Student("one", "Ada Lovelace"), other], twins[:1])
    # An id that is one person's id and another one's login is nobody's.
    assert not rows([ADA], [Person(1, "", ("0042",)), Person(2, "", ("ada",))])


def test_people_missing_on_either_side_are_listed() -> None:
    found = match([ADA, Student("bob")], [Person(1, "", ("ada",)), Person(2, "Eve")])
    assert found.rows == {"ada": 1}
    assert [one.key for one in found.without_row] == ["bob"]
    assert [one.name for one in found.without_student] == ["Eve"]


def test_a_number_of_the_system_is_compared_with_no_id() -> None:
    other = Person(2, "Grace Hopper", ("grace",), own=("0042", "Hopper, Grace_0042"))
    assert rows([ADA], [other]) == {}
    assert rows([Student("0042", id="0042")], [other]) == {}
    for key in ("0042", "HopperGrace_0042", "Grace Hopper"):
        assert rows([Student(key)], [other]) == {key: 2}
    anonymous = Person(2, "Teilnehmer/in 7", own=("7", "Teilnehmer/in 7"))
    assert rows([Student("Teilnehmerin_7")], [anonymous]) == {"Teilnehmerin_7": 2}


def test_what_may_be_no_id_counts_unless_the_names_say_otherwise() -> None:
    people = [Person(1, "Hopper, Grace", unsure=("0042",)), Person(2, "Lovelace", unsure=("0042",))]
    assert rows([ADA], people) == {"ada": 2}
    assert rows([Student("nobody", id="0042")], people[:1]) == {"nobody": 1}


def test_somebody_with_another_id_is_somebody_else() -> None:
    bob = Student("bob", "Bob Bo", id="61")
    people = [Person(1, "Ada Lovelace", ("", "51", "ada51")), Person(2, "Bob Bo", ("", "61", ""))]
    found = match([ADA, bob], people)
    assert found.rows == {"bob": 2}
    assert found.without_row == [ADA] and found.without_student == people[:1]
    # Where nobody's id is known, those of the gradebook may be of another kind.
    assert rows([ADA], people) == {"ada": 1}
    nameless = [Person(1, "Ada Lovelace", ("", "", "ada51")), people[1]]
    assert rows([ADA, bob], nameless) == {"ada": 1, "bob": 2}


def test_the_number_in_the_name_of_a_folder_tells_namesakes_apart() -> None:
    kims = [Student(f"Kim Lee {number}", "Kim Lee") for number in (101, 102)]
    people = [
        Person(row, "Lee, Kim", own=(str(number), f"Lee, Kim_{number}"))
        for row, number in ((1, 102), (2, 101))
    ]
    assert rows(kims, people) == {"Kim Lee 101": 2, "Kim Lee 102": 1}
    assert rows(kims, people[:1]) == {"Kim Lee 102": 1}
    # A number alone may be anything.
    assert rows([Student("102", "Ann Bo")], people) == {}
