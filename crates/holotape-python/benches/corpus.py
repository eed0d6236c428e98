"""Builds a dataset and a LeRobot dataset of a study, and compares queries on recording files and on the dataset.

The builds run in new processes and alternate; their memory is the maximum of the process. The query aggregates all frames.

Queries the dataset through ``holotape.connect``, its Parquet files with plain DuckDB, and the recording files: the first
query of all, which reads complete files, the first one of a process, which uses the indexes on disk, and later ones. All alternate
in one run. Fails if a query on indexed recordings takes more than 1.5 times as long as plain DuckDB. Run by
``cargo xtask bench corpus``, which generates the study.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import holotape

BUILDS = 3
RUNS = 7
BUILD = "--build"
FIRST = "--first"
PLAIN = "plain DuckDB on Parquet"
MAX_RATIO = 1.5
"""The most time of a query on recordings, compared with plain DuckDB."""
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


def timed_in_new_process(study: Path, cache: str) -> float:
    """Returns the duration of the query in a new process, with indexes in a folder; without them if its name is empty."""
    program = [sys.executable, __file__, FIRST, str(study)]
    env = {**os.environ, "HOLOTAPE_CACHE_DIR": cache}
    return float(subprocess.run(program, env=env, check=True, capture_output=True, text=True).stdout)


def build(kind: str, study: str, out: str) -> None:
    """Builds one kind of dataset at 60 Hz, and prints its report with time and memory."""
    start = time.perf_counter()
    if kind == "dataset":
        report = holotape.build_dataset(study, out, rate=60, progress=False)
        frames, megabytes = report["rows"]["frames"], report["bytes"]["frames"] / 1e6
    else:
        report = holotape.build_lerobot(study, out, fps=60, progress=False)
        frames, megabytes = report["frame_count"], report["data_bytes"] / 1e6
    elapsed = time.perf_counter() - start
    processor = time.process_time()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"frames": frames, "mb": megabytes, "secs": elapsed, "cores": processor / elapsed, "memory_mb": memory}))


def compare_builds(study: Path, dataset: Path) -> None:
    """Builds each kind of dataset several times, alternating, and keeps the last one of the first kind."""
    results: dict[str, list[dict[str, float]]] = {"dataset": [], "lerobot": []}
    for _ in range(BUILDS):
        for kind, runs in results.items():
            out = dataset if kind == "dataset" else dataset.with_name("lerobot")
            shutil.rmtree(out, ignore_errors=True)
            program = [sys.executable, __file__, BUILD, kind, str(study), str(out)]
            runs.append(json.loads(subprocess.run(program, check=True, capture_output=True, text=True).stdout))
    base = statistics.median(run["secs"] for run in results["dataset"])
    for kind, runs in results.items():
        secs = statistics.median(run["secs"] for run in runs)
        memory, cores = max(run["memory_mb"] for run in runs), statistics.median(run["cores"] for run in runs)
        print(
            f"build {kind:<8} {secs:6.1f} s {secs / base:6.2f} x the dataset, {cores:.2f} cores, {memory:.0f} MB of memory, "
            f"{runs[0]['frames']:.0f} frames, {runs[0]['mb']:.0f} MB"
        )
    print()


def main(study: Path, dataset: Path) -> None:
    compare_builds(study, dataset)

    cache = str(dataset.with_name("cache"))
    timed_in_new_process(study, cache)
    plain, connected, scanned = duckdb.connect(), holotape.connect(dataset), holotape.connect(study)
    parquet = f"read_parquet('{dataset}/frames/*.parquet')"
    assert sorted(rows_of(scanned)) == sorted(rows_of(connected)) == sorted(rows_of(plain, parquet))

    queries: dict[str, Callable[[], float]] = {
        PLAIN: lambda: timed(lambda: rows_of(plain, parquet)),
        "dataset by connect()": lambda: timed(lambda: rows_of(connected)),
        "recordings, not indexed": lambda: timed_in_new_process(study, ""),
        "recordings, first query": lambda: timed_in_new_process(study, cache),
        "recordings, later queries": lambda: timed(lambda: rows_of(scanned)),
    }
    times: dict[str, list[float]] = {name: [] for name in queries}
    for _ in range(RUNS):
        for name, query in queries.items():
            times[name].append(query())
    medians = {name: statistics.median(durations) for name, durations in times.items()}
    for name, median in medians.items():
        print(f"{name:<26} {1e3 * median:8.0f} ms {median / medians[PLAIN]:6.2f} x plain DuckDB")
    for name in ["recordings, first query", "recordings, later queries"]:
        ratio = medians[name] / medians[PLAIN]
        assert ratio <= MAX_RATIO, f"{name}: {ratio:.2f} times plain DuckDB on Parquet; the limit is {MAX_RATIO}"


if __name__ == "__main__":
    if sys.argv[1] == FIRST:
        connection = holotape.connect(sys.argv[2])
        print(timed(lambda: rows_of(connection)))
    elif sys.argv[1] == BUILD:
        build(*sys.argv[2:])
    else:
        main(Path(sys.argv[1]), Path(sys.argv[2]))
