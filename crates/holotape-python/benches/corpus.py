"""Compares queries on recording files and on a dataset: an aggregate over all frames of a study.

Queries the dataset through ``holotape.connect``, its Parquet files with plain DuckDB, and the recording files: the first
query of a process, which reads complete files, and later ones, which use the index cache. All alternate in one run. Run by
``cargo xtask bench corpus``, which generates the study.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import holotape

RUNS = 7
FIRST = "--first"
QUERY = """
select recording, count(*) as frames, avg("right.Palm.position.y") as height_m, max("right.Palm.position.y") as top_m
from {frames} group by recording
"""
Rows = list[tuple[object, ...]]
Query = Callable[[], Rows]


def timed(query: Query) -> float:
    """Returns the duration of a query, in seconds."""
    start = time.perf_counter()
    rows = query()
    assert rows
    return time.perf_counter() - start


def rows_of(connection: duckdb.DuckDBPyConnection, frames: str = "frames") -> Rows:
    """Runs the query."""
    return connection.execute(QUERY.format(frames=frames)).fetchall()


def timed_in_new_process(study: Path) -> float:
    """Returns the duration of the query in a new process, without an index cache."""
    program = [sys.executable, __file__, FIRST, str(study)]
    return float(subprocess.run(program, check=True, capture_output=True, text=True).stdout)


def main(study: Path, dataset: Path) -> None:
    start = time.perf_counter()
    report = holotape.build_dataset(study, dataset, progress=False)
    built = time.perf_counter() - start
    print(f"{report['recording_count']} recordings, {report['rows']['frames']} frames, {len(report['broken'])} broken")
    print(f"built in {built:.1f} s, {report['bytes']['frames'] / 1e6:.0f} MB of frames\n")

    plain, connected, scanned = duckdb.connect(), holotape.connect(dataset), holotape.connect(study)
    parquet = f"read_parquet('{dataset}/frames/*.parquet')"
    assert sorted(rows_of(scanned)) == sorted(rows_of(connected)) == sorted(rows_of(plain, parquet))

    queries: dict[str, Callable[[], float]] = {
        "plain DuckDB on Parquet": lambda: timed(lambda: rows_of(plain, parquet)),
        "dataset by connect()": lambda: timed(lambda: rows_of(connected)),
        "recordings, first query": lambda: timed_in_new_process(study),
        "recordings, later queries": lambda: timed(lambda: rows_of(scanned)),
    }
    times: dict[str, list[float]] = {name: [] for name in queries}
    for _ in range(RUNS):
        for name, query in queries.items():
            times[name].append(query())
    medians = {name: statistics.median(durations) for name, durations in times.items()}
    for name, median in medians.items():
        print(f"{name:<26} {1e3 * median:8.0f} ms {median / medians['dataset by connect()']:6.2f} x the dataset")


if __name__ == "__main__":
    if sys.argv[1] == FIRST:
        connection = holotape.connect(sys.argv[2])
        print(timed(lambda: rows_of(connection)))
    else:
        main(Path(sys.argv[1]), Path(sys.argv[2]))
