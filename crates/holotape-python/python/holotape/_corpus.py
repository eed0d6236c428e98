"""Many recordings as four tables."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from holotape import _holotape
from holotape._many import bar
from holotape._options import PathLike
from holotape._predicate import Wish
from holotape._table import needed

if TYPE_CHECKING:
    import pyarrow
    from typing_extensions import TypeAlias

TABLES = ("recordings", "frames", "events", "keys")
"""The tables of a corpus: ``docs/corpus.md`` says what is in them."""

CorpusTable = Literal["recordings", "frames", "events", "keys"]
"""A row for each take, for each frame, for each thing that happened, or for each key."""

Inputs: TypeAlias = "PathLike | Iterable[PathLike]"
"""Folders, patterns like ``study/**/*.bin`` and files; one, or any number of them."""

_OUTLINES = _holotape.Outlines()
"""What is where in files: one that was read once, by whichever corpus, is known. The next query reads the curves that it needs, and
nothing else."""


class Corpus:
    """Recordings where they are, as four tables that are made as they are asked for.

    >>> import holotape
    >>> for name in ("p01", "p02"):
    ...     os.makedirs(f"study/{name}")
    ...     _ = holotape.demo(seconds=1).save(f"study/{name}/reach.bin")
    >>> corpus = Corpus("study")
    >>> corpus.takes
    ['p01/reach.bin', 'p02/reach.bin']
    >>> corpus.scan("frames", columns=["take", "right.Palm.position.y"]).read_all().num_rows
    122
    """

    def __init__(
        self, inputs: Inputs, *, rate: float = 60, errors: Literal["skip", "fail"] = "skip", jobs: int | None = None
    ) -> None:
        self._files = _holotape.find_takes(paths_of(inputs))
        self._options: dict[str, Any] = {
            "rate": rate,
            "errors": errors,
            "jobs": jobs,
            "outlines": _OUTLINES,
        }
        # Options that make no sense are told here, not in the midst of a query.
        _holotape.Scan([], "frames", **self._options)
        self.scans: list[_holotape.Scan] = []
        """The last scans, eight at most, for those who want to know what a query read."""

    @property
    def takes(self) -> list[str]:
        """The names of all takes: their paths below the folder that all inputs share."""
        return [take for take, _ in self._files]

    def scan(
        self, table: str, *, columns: Sequence[str] | None = None, wish: Wish | None = None
    ) -> pyarrow.RecordBatchReader:
        """The rows of a table, batch by batch: read on all cores, some batches ahead."""
        scan = self.begin(table, columns, wish or Wish(table))
        return needed("pyarrow", "sql").RecordBatchReader.from_stream(scan)

    def begin(self, table: str, columns: Sequence[str] | None, wish: Wish) -> _holotape.Scan:
        """A scan that is ready to be read, once."""
        scan = _holotape.Scan(
            wish.takes(self._files),
            table,
            columns=columns,
            start=wish.start,
            end=wish.end,
            hands=wish.hands,
            **self._options,
        )
        self.scans = [*self.scans[-7:], scan]
        return scan


def schema(table: str) -> pyarrow.Schema:
    """The columns of a table of a corpus.

    >>> schema("events").names[:4]
    ['take', 'kind', 'hand', 'start_secs']
    """
    return needed("pyarrow", "sql").schema(_holotape.TableSchema(table))


def build_dataset(
    inputs: Inputs,
    out: PathLike,
    *,
    rate: float = 60,
    keys: bool = False,
    verify: bool = False,
    jobs: int | None = None,
    progress: bool | None = None,
) -> dict[str, Any]:
    """Builds a dataset of Parquet files of all takes that are found, or brings one up to date, as ``holotape dataset
    build`` does; says what it came to. Broken takes stop nothing: they have a row in ``recordings`` with their error.

    ``rate`` is how many frames a second has. ``keys`` makes the table of keys, too. ``verify`` reads every file to see
    whether it changed, whatever its size and time say. ``progress`` shows a bar if tqdm is there; unless given, in
    terminals and notebooks.

    >>> import holotape
    >>> for seed in range(3):
    ...     _ = holotape.demo(seconds=1, seed=seed).save(f"take{seed}.bin")
    >>> report = holotape.build_dataset("take?.bin", "dataset")
    >>> report["takes"], report["rows"]["frames"], report["broken"]
    (3, 183, [])
    >>> holotape.build_dataset("take?.bin", "dataset")["parts_made"]
    0
    """
    shown: list[Any] = []

    def tell(done: int, total: int) -> None:
        if not shown:
            shown.append(bar(total, progress, "take"))
        shown[0].update(max(0, done - getattr(shown[0], "n", done)))

    try:
        report = _holotape.build_dataset(paths_of(inputs), out, rate, keys, verify, jobs, tell)
    finally:
        for each in shown:
            each.close()
    made: dict[str, Any] = json.loads(report)
    return made


def paths_of(inputs: Inputs) -> list[PathLike]:
    """One input or many as a list."""
    if isinstance(inputs, (str, os.PathLike)):
        return [Path(inputs)]
    return [Path(each) for each in inputs]
