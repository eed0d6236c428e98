"""What the tests share."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import holotape
import pytest

TESTDATA = Path(__file__).parents[3] / "testdata"


def valid_pairs() -> Iterator[tuple[str, Path, dict[str, Any]]]:
    """Every file of ``testdata/valid``, and what its JSON says about it."""
    for path in sorted((TESTDATA / "valid").glob("*.bin")):
        yield path.stem, path, json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests and examples write where they are."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="session")
def take() -> holotape.Recording:
    """Twelve seconds of somebody with two hands."""
    return holotape.demo()
