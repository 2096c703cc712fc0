"""The real pip, where the package index is not there or is something else."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from support import REPO

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pip") is None, reason="this Python has no pip"
)


class Portal(BaseHTTPRequestHandler):
    """Answers everything with a page, as a proxy does that wants a password."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!DOCTYPE html><html><body>Please log in.</body></html>")

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture
def portal() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Portal) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/simple"
        server.shutdown()


def install(index: str, folder: Path) -> subprocess.CompletedProcess[str]:
    unset = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    environment = {
        **unset,
        "PYTHONPATH": str(REPO / "grading"),
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_INDEX_URL": index,
        "PIP_TARGET": str(folder),  # so that what is installed already does not do
        "NO_PROXY": "127.0.0.1",
    }
    command = [sys.executable, "-P", "-m", "tilelab.setup.packages", "run"]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def test_a_page_instead_of_an_index_is_named(portal: str, tmp_path: Path) -> None:
    result = install(portal, tmp_path)
    assert result.returncode != 0
    assert result.stderr == (
        "pip could not download the packages: what answers as the package index has no such "
        "packages. Connect to a network that reaches PyPI, then try again\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_an_index_that_does_not_answer_is_named(tmp_path: Path) -> None:
    result = install("http://127.0.0.1:9/simple", tmp_path)
    assert result.returncode != 0
    assert result.stderr == (
        "pip could not download the packages: there is no connection to the package index. "
        "Connect to a network that reaches PyPI, then try again\n"
    )
