"""Many recordings as four tables, and datasets of Parquet files."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from holotape import _holotape
from holotape._filter import ScanFilter
from holotape._many import progress_bar
from holotape._options import PathLike
from holotape._table import require_module

if TYPE_CHECKING:
    import pyarrow
    from typing_extensions import TypeAlias

TABLES = ("recordings", "frames", "events", "keys")
"""The tables of a corpus, with one row per recording, frame, event or key; ``docs/corpus.md`` lists the columns."""

Inputs: TypeAlias = "PathLike | Iterable[PathLike]"
"""One or more folders, files, or patterns such as ``study/**/*.bin``."""


@functools.cache
def _index_cache() -> _holotape.FileIndexCache:
    """Returns the cache of all corpora: each file is indexed once, and later scans read only the curves that they need."""
    return _holotape.FileIndexCache()


class Corpus:
    """Recording files as four tables, whose rows are read on demand.

    >>> import holotape
    >>> for name in ("p01", "p02"):
    ...     os.makedirs(f"study/{name}")
    ...     _ = holotape.demo(seconds=1).save(f"study/{name}/reach.bin")
    >>> corpus = Corpus("study")
    >>> corpus.recordings
    ['p01/reach.bin', 'p02/reach.bin']
    >>> corpus.scan("frames", columns=["recording", "right.Palm.position.y"]).read_all().num_rows
    122
    """

    def __init__(
        self, inputs: Inputs, *, rate: float = 60, errors: Literal["raise", "skip"] = "skip", jobs: int | None = None
    ) -> None:
        self._files = _holotape.find_recordings(as_paths(inputs))
        self._options: dict[str, Any] = {
            "rate": rate,
            "errors": errors,
            "jobs": jobs,
            "index_cache": _index_cache(),
        }
        # Raise errors of invalid options here, not in a query.
        _holotape.Scan([], "frames", **self._options)
        self.scans: list[_holotape.Scan] = []
        """The last scans, at most eight: their counts show what a query read."""

    @property
    def recordings(self) -> list[str]:
        """The names of all recordings: their paths relative to the common folder of all inputs."""
        return [name for name, _ in self._files]

    def scan(
        self, table: str, *, columns: Sequence[str] | None = None, filter: ScanFilter | None = None
    ) -> pyarrow.RecordBatchReader:
        """Reads the rows of a table in batches, on all cores, a few batches ahead."""
        scan = self.open_scan(table, columns, filter or ScanFilter(table))
        return require_module("pyarrow", "sql").RecordBatchReader.from_stream(scan)

    def open_scan(self, table: str, columns: Sequence[str] | None, filter: ScanFilter) -> _holotape.Scan:
        """Opens a scan, which can be read once."""
        scan = _holotape.Scan(
            filter.select_recordings(self._files),
            table,
            columns=columns,
            start=filter.start,
            end=filter.end,
            hands=filter.hands,
            **self._options,
        )
        self.scans = [*self.scans[-7:], scan]
        return scan


def schema(table: str) -> pyarrow.Schema:
    """Returns the columns of a table.

    >>> schema("events").names[:4]
    ['recording', 'kind', 'hand', 'start_secs']
    """
    return require_module("pyarrow", "sql").schema(_holotape.TableSchema(table))


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
    """Builds or updates a dataset of Parquet files, as ``holotape dataset build`` does, and returns its report.
    Unreadable recordings do not stop the build; they have a row in ``recordings`` with their error.

    ``rate`` is the number of frames per second. ``keys`` also builds the table of keys. ``verify`` detects changed files
    by content instead of by size and time. ``jobs`` is the number of partitions to process in parallel. ``progress``
    shows a progress bar, which needs tqdm; by default in terminals and notebooks.

    >>> import holotape
    >>> for seed in range(3):
    ...     _ = holotape.demo(seconds=1, seed=seed).save(f"take{seed}.bin")
    >>> report = holotape.build_dataset("take?.bin", "dataset")
    >>> report["recording_count"], report["rows"]["frames"], report["broken"]
    (3, 183, [])
    >>> holotape.build_dataset("take?.bin", "dataset")["written_partition_count"]
    0
    """
    return run_build(
        lambda update: _holotape.build_dataset(as_paths(inputs), out, rate, keys, verify, jobs, update), progress
    )


def run_build(build: Callable[[Callable[[int, int], None]], str], progress: bool | None) -> dict[str, Any]:
    """Runs a build with a progress bar, and returns its report."""
    # The total is known only with the first update.
    bars: list[Any] = []

    def update(done: int, total: int) -> None:
        if not bars:
            bars.append(progress_bar(total, progress, "recording"))
        bars[0].update(max(0, done - getattr(bars[0], "n", done)))

    try:
        text = build(update)
    finally:
        for bar in bars:
            bar.close()
    report: dict[str, Any] = json.loads(text)
    return report


def as_paths(inputs: Inputs) -> list[PathLike]:
    """Returns one or more inputs as a list."""
    if isinstance(inputs, (str, os.PathLike)):
        return [Path(inputs)]
    return [Path(path) for path in inputs]
