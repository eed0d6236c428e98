"""What the tests share."""

from __future__ import annotations

import json
import re
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
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve takes of four participants, one of them broken, one without hands."""
    folder = tmp_path_factory.mktemp("corpus") / "study"
    for participant in range(1, 5):
        (folder / f"p{participant:02}").mkdir(parents=True)
        for n in range(3):
            take = holotape.demo(seconds=5 + 2 * n, seed=10 * participant + n)
            take.save(folder / f"p{participant:02}/take{n}.bin")
    whole = (folder / "p04/take2.bin").read_bytes()
    (folder / "p04/take2.bin").write_bytes(whole[: len(whole) // 2])
    holotape.demo(seconds=4, seed=7).select("camera", "gaze").save(folder / "p03/take1.bin")
    return folder


@pytest.fixture(scope="session")
def dataset(study: Path) -> Path:
    """The same as a dataset, keys included."""
    out = study.parent / "dataset"
    holotape.build_dataset(study, out, keys=True, progress=False)
    return out


def questions() -> list[tuple[str, str]]:
    """The worked questions of the documentation: what is asked, and the SQL for it."""
    text = (TESTDATA.parent / "docs/corpus.md").read_text(encoding="utf-8")
    return re.findall(r"### (\d+\. .*?)\n\n```sql\n(.*?)```", text, re.DOTALL)


def assert_same(rows: list[Any], expected: list[Any]) -> None:
    """Equal but for the last digits: sums depend on their order."""
    assert len(rows) == len(expected)
    for row, other in zip(rows, expected, strict=True):
        for value, beside in zip(row, other, strict=True):
            if isinstance(beside, float) and isinstance(value, float):
                assert value == pytest.approx(beside, rel=1e-9, abs=1e-12)
            else:
                assert value == beside, (row, other)


@pytest.fixture(scope="session")
def take() -> holotape.Recording:
    """Twelve seconds of somebody with two hands."""
    return holotape.demo()
