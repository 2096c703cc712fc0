"""Downloads as learning systems pack them, for the tests of `collect`.

All hold the same class: amber handed in twice, basil late and with a name of his own, clover a file
that is none, dill nothing. zed is in no roster, and there is a link that leads out.
"""

from __future__ import annotations

import io
import os
import stat
import subprocess
import tarfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

ROSTER = (
    "student,name,email,id\n"
    "amber,Amber Stone,amber@uni.edu,0042\n"
    "basil,Basil Umber,basil@uni.edu,0043\n"
    "clover,Clover Jade,clover@uni.edu,0044\n"
    "dill,Dill Slate,dill@uni.edu,0045\n"
)
COURSE = (
    'title = "GPU"\ntime_zone = "Europe/Berlin"\nroster = "roster.csv"\n'
    "[labs.diff]\ndeadline = 2027-03-01T23:59:00\n"
)
LINK = "link"  # as a content: a link to /etc/passwd


def kernel(comment: str) -> str:
    return f'// {comment}\n#include "diff.h"\nvoid diff(const int* in, int* out, int n) {{}}\n'


FIRST, SECOND, LATE, STRANGE = (kernel(word) for word in ("first", "second", "late", "strange"))


def zip_of(path: Path, files: Mapping[str, str | bytes]) -> Path:
    """A zip file. Where the content is LINK, the member is a link."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, (2027, 3, 9, 12, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            if content == LINK:
                info.external_attr = (stat.S_IFLNK | 0o777) << 16
                content = "/etc/passwd"
            archive.writestr(info, content)
    return path


def zip_bytes(files: Mapping[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def tar_of(path: Path, files: Mapping[str, str | bytes], mode: str = "w:gz") -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            data = content.encode() if isinstance(content, str) else content
            if content == LINK:
                info.type, info.linkname, data = tarfile.SYMTYPE, "/etc/passwd", b""
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path


def folder_of(path: Path, files: Mapping[str, str] | Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        target = path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if content == LINK:
            target.symlink_to("/etc/passwd")
        else:
            target.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


PLAIN: dict[str, str | bytes] = {
    "amber/diff.cu": FIRST,
    "amber/diff (1).cu": SECOND,
    "basil/lab/src/Diff.CU": LATE,
    "clover/Diff.txt": "no kernel",
    "zed.zip": zip_bytes({"diff.cu": STRANGE}),
    "zed2/diff.cu": LINK,
}

CANVAS: dict[str, str | bytes] = {
    "stoneamber_4711_90001_diff.cu": FIRST,
    "stoneamber_4711_90002_diff-1.cu": SECOND,
    "umberbasil_LATE_4712_90003_lab.zip": zip_bytes({"lab/Diff.CU": LATE}),
    "jadeclover_4713_90004_Diff.txt": "no kernel",
    "jadeclover_4713_text.html": "<p>done</p>",
    "zinczed_4799_90005_diff.cu": STRANGE,
    "rusteve_4800_90006_diff.cu": LINK,
}

MOODLE: dict[str, str | bytes] = {
    "Amber Stone_10023_assignsubmission_file_/diff.cu": FIRST,
    "Amber Stone_10023_assignsubmission_file_/diff (1).cu": SECOND,
    "Basil Umber_10024_assignsubmission_file/lab/Diff.CU": LATE,
    "Basil Umber_10024_assignsubmission_onlinetext/onlinetext.html": "<p>done</p>",
    "Clover Jade_10025_assignsubmission_file/Diff.txt": "no kernel",
    "Zed Zinc_10026_assignsubmission_file/diff.cu": STRANGE,
    "Eve Rust_10027_assignsubmission_file/diff.cu": LINK,
}


def _described(name: str, user: str) -> str:
    return f"Name: {name} ({user})\nAssignment: Lab 1\nDate Submitted: Monday\n"


BLACKBOARD: dict[str, str | bytes] = {
    "Lab 1_amber_attempt_2027-02-28-10-15-30.txt": _described("Amber Stone", "amber"),
    "Lab 1_amber_attempt_2027-02-28-10-15-30_diff.cu": FIRST,
    "Lab 1_amber_attempt_2027-03-01-23-58-00_diff-1.cu": SECOND,
    "Lab 1_b_umber_attempt_2027-03-02-08-00-00.txt": _described("Basil Umber", "b_umber"),
    "Lab 1_b_umber_attempt_2027-03-02-08-00-00_lab.zip": zip_bytes({"lab/Diff.CU": LATE}),
    "Lab 1_clover_attempt_2027-03-01-08-00-00_Diff.txt": "no kernel",
    "Lab 1_zed_attempt_2027-03-01-08-00-00_diff.cu": STRANGE,
    "Lab 1_eve_attempt_2027-03-01-08-00-00_diff.cu": LINK,
}

_METADATA = """\
---
submission_1:
  :submitters:
  - :name: Amber Stone
    :sid: 0042
  :created_at: 2027-03-01 22:58:00.123456000 Z
  :score: 3.0
  :history:
  - :id: 11
    :created_at: 2027-02-28 09:15:30.000000000 Z
    :score: 1.0
submission_2:
  :submitters:
  - :name: Basil Umber
    :sid: '0043'
    :email: BASIL@uni.edu
  :created_at: !ruby/object:ActiveSupport::TimeWithZone
    utc: 2027-03-02 07:00:00.000000000 Z
    zone: !ruby/object:ActiveSupport::TimeZone
      name: Etc/UTC
    time: 2027-03-02 07:00:00.000000000 Z
  :history: []
submission_3:
  :submitters:
  - :name: Clover Jade
    :sid: '0044'
  :created_at: 2027-03-01 07:00:00.000000000 Z
submission_4:
  :submitters:
  - :name: Zed Zinc
    :sid: 0077
    :email:
  :created_at: 2027-03-01 07:00:00.000000000 Z
"""

GRADESCOPE: dict[str, str | bytes] = {
    "assignment_77_export/submission_metadata.yml": _METADATA,
    "assignment_77_export/submission_1/diff (1).cu": SECOND,
    "assignment_77_export/submission_2/lab/Diff.CU": LATE,
    "assignment_77_export/submission_3/Diff.txt": "no kernel",
    "assignment_77_export/submission_4/diff.cu": STRANGE,
    "assignment_77_export/submission_4/link.cu": LINK,
}


def clones(folder: Path) -> Path:
    """A folder of repositories, of which each names programs that must not run."""
    repositories: dict[str, list[tuple[str, dict[str, str]]]] = {
        "amber": [
            ("2027-02-28T10:15:30 +0100", {"labs/diff/diff.cu": FIRST}),
            ("2027-03-01T23:58:00 +0100", {"labs/diff/diff.cu": SECOND}),
        ],
        "basil": [("2027-03-02T08:00:00 +0100", {"lab/Diff.CU": LATE})],
        "clover": [("2027-03-01T08:00:00 +0100", {"Diff.txt": "no kernel"})],
        "zed": [("2027-03-01T08:00:00 +0100", {"diff.cu": STRANGE, "link.cu": LINK})],
    }
    program = folder.parent / "program"
    program.write_text(f"#!/bin/sh\ntouch {folder.parent / 'ran'}\n")
    program.chmod(0o755)
    for user, commits in repositories.items():
        clone = clone_of(folder / f"gpu-lab-{user}", commits)
        _sign(clone)
        for key in ("core.fsmonitor", "core.pager", "core.sshCommand", "gpg.program"):
            _git(clone, "config", key, str(program))
        _git(clone, "config", "log.showSignature", "true")
    return folder


def clone_of(clone: Path, commits: Sequence[tuple[str, Mapping[str, str]]]) -> Path:
    """A repository with these commits, each of which has a time and files."""
    clone.mkdir(parents=True)
    _git(clone, "init", "--quiet")
    for when, files in commits:
        folder_of(clone, files)
        _git(clone, "add", "--all")
        _git(clone, "commit", "--quiet", "-m", "work", when=when)
    return clone


def _sign(clone: Path) -> None:
    """Gives the last commit a signature, which makes git run the program that checks it."""
    commit = _git(clone, "cat-file", "commit", "HEAD")
    begin, end = "-----BEGIN PGP SIGNATURE-----", "-----END PGP SIGNATURE-----"
    head, _, message = commit.partition("\n\n")
    signed = f"{head}\ngpgsig {begin}\n \n aaaa\n {end}\n\n{message}"
    name = _git(clone, "hash-object", "-t", "commit", "-w", "--stdin", text=signed)
    _git(clone, "update-ref", "HEAD", name.strip())


def _git(
    clone: Path, *arguments: str, when: str = "2027-01-01T00:00:00 +0000", text: str = ""
) -> str:
    identity = ("-c", "user.name=Amber", "-c", "user.email=amber@uni.edu")
    done = subprocess.run(
        ["git", *identity, *arguments],
        cwd=clone,
        env={
            "PATH": os.environ["PATH"],
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_AUTHOR_DATE": when,
            "GIT_COMMITTER_DATE": when,
        },
        input=text,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout
