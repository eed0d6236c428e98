"""How much slower recordings answer than a dataset that was built of them: a sum over all frames of a study.

Once through ``holotape.connect`` on the dataset, once by DuckDB on its Parquet files by hand, and straight on the recordings:
the first query of a program, which reads files as a whole, and those after it, which know what is where. All in one
run, in turns. Run by ``cargo xtask bench corpus``, which makes the study.
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
select take, count(*) as frames, avg("right.Palm.position.y") as height_m, max("right.Palm.position.y") as top_m
from {frames} group by take
"""
Rows = list[tuple[object, ...]]
Query = Callable[[], Rows]


def timed(query: Query) -> float:
    """How long a query takes."""
    start = time.perf_counter()
    rows = query()
    assert rows
    return time.perf_counter() - start


def rows_of(connection: duckdb.DuckDBPyConnection, frames: str = "frames") -> Rows:
    """What the query gives."""
    return connection.execute(QUERY.format(frames=frames)).fetchall()


def timed_afresh(study: Path) -> float:
    """How long the query takes in a program that has read nothing yet."""
    program = [sys.executable, __file__, FIRST, str(study)]
    return float(subprocess.run(program, check=True, capture_output=True, text=True).stdout)


def main(study: Path, dataset: Path) -> None:
    start = time.perf_counter()
    report = holotape.build_dataset(study, dataset, progress=False)
    built = time.perf_counter() - start
    print(f"{report['takes']} takes, {report['rows']['frames']} frames, {len(report['broken'])} broken takes")
    print(f"built in {built:.1f} s, {report['bytes']['frames'] / 1e6:.0f} MB of frames\n")

    by_hand, connected, scanned = duckdb.connect(), holotape.connect(dataset), holotape.connect(study)
    parquet = f"read_parquet('{dataset}/frames/*.parquet')"
    assert sorted(rows_of(scanned)) == sorted(rows_of(connected)) == sorted(rows_of(by_hand, parquet))

    ways: dict[str, Callable[[], float]] = {
        "Parquet by hand": lambda: timed(lambda: rows_of(by_hand, parquet)),
        "dataset by connect()": lambda: timed(lambda: rows_of(connected)),
        "recordings, first query": lambda: timed_afresh(study),
        "recordings, later queries": lambda: timed(lambda: rows_of(scanned)),
    }
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(RUNS):
        for name, way in ways.items():
            times[name].append(way())
    medians = {name: statistics.median(each) for name, each in times.items()}
    for name, median in medians.items():
        print(f"{name:<26} {1e3 * median:8.0f} ms {median / medians['dataset by connect()']:6.2f} x the dataset")


if __name__ == "__main__":
    if sys.argv[1] == FIRST:
        connection = holotape.connect(sys.argv[2])
        print(timed(lambda: rows_of(connection)))
    else:
        main(Path(sys.argv[1]), Path(sys.argv[2]))
