"""Times as Moodle writes them, in English or German. It translates the words, and their order."""

from __future__ import annotations

import contextlib
import datetime
import re
import unicodedata

from tilelab.labs.moments import is_near

# Without the day of the week.
_FORMS = (
    "%d %B %Y, %I:%M %p",
    "%B %d, %Y, %I:%M %p",
    "%d %B %Y, %H:%M",
    "%B %d, %Y, %H:%M",
    "%d.%m.%Y, %H:%M",
)
_DAY_OF_WEEK = re.compile(
    r"^((mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|(mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend), ",
    re.IGNORECASE,
)
# German months with another name than in English, and those of Austria.
_MONTHS = {
    "januar": "January",
    "jänner": "January",
    "februar": "February",
    "feber": "February",
    "märz": "March",
    "mai": "May",
    "juni": "June",
    "juli": "July",
    "oktober": "October",
    "dezember": "December",
}
_GERMAN = re.compile(r"(\d+)\. (\w+) ")


def read(text: str) -> datetime.datetime | None:
    """The time on the clocks of the site, None if this is another form or language."""
    # Newer versions put a narrow space before AM and PM.
    plain = " ".join(unicodedata.normalize("NFC", text).split())
    plain = _GERMAN.sub(_in_english, _DAY_OF_WEEK.sub("", plain))
    for form in _FORMS:
        with contextlib.suppress(ValueError):
            found = datetime.datetime.strptime(plain, form)
            return found if is_near(found) else None
    return None


def _in_english(found: re.Match[str]) -> str:
    day, month = found.groups()
    return f"{day} {_MONTHS.get(month.casefold(), month)} "
