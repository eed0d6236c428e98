"""How much slower recordings answer than a dataset that was built of them: a sum over all frames of a study.

Once through ``holotape.connect`` on the dataset, once by DuckDB on its Parquet files by hand, and straight on the recordings:
the first query of a connection, which reads files as a whole, and those after it, which know what is where. All in one
run, in turns. Run by ``cargo xtask bench corpus``, which makes the study.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import holotape

RUNS = 7
QUERY = """
select take, count(*) as frames, avg("right.Palm.position.y") as height_m, max("right.Palm.position.y") as top_m
from {frames} group by take
"""
Query = Callable[[], int]


def timed(query: Query) -> float:
    """How long a query takes."""
    start = time.perf_counter()
    rows = query()
    assert rows > 0
    return time.perf_counter() - start


def main(study: Path, dataset: Path) -> None:
    start = time.perf_counter()
    report = holotape.build_dataset(study, dataset, progress=False)
    built = time.perf_counter() - start
    print(f"{report['takes']} takes, {report['rows']['frames']} frames, {len(report['broken'])} broken takes")
    print(f"built in {built:.1f} s, {report['bytes']['frames'] / 1e6:.0f} MB of frames\n")

    by_hand = duckdb.connect()
    parquet = f"read_parquet('{dataset}/frames/*.parquet')"
    connected, scanned = holotape.connect(dataset), holotape.connect(study)
    expected = connected.execute(QUERY.format(frames="frames")).fetchall()
    assert sorted(scanned.execute(QUERY.format(frames="frames")).fetchall())[0][:2] == sorted(expected)[0][:2]

    queries: dict[str, Query] = {
        "Parquet by hand": lambda: len(by_hand.execute(QUERY.format(frames=parquet)).fetchall()),
        "dataset by connect()": lambda: len(connected.execute(QUERY.format(frames="frames")).fetchall()),
        "recordings, first query": lambda: len(
            holotape.connect(study).execute(QUERY.format(frames="frames")).fetchall()
        ),
        "recordings, later queries": lambda: len(scanned.execute(QUERY.format(frames="frames")).fetchall()),
    }
    times: dict[str, list[float]] = {name: [] for name in queries}
    for _ in range(RUNS):
        for name, query in queries.items():
            times[name].append(timed(query))
    medians = {name: statistics.median(each) for name, each in times.items()}
    for name, median in medians.items():
        print(f"{name:<26} {1e3 * median:8.0f} ms {median / medians['dataset by connect()']:6.2f} x the dataset")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
