"""Queries a dataset with DuckDB, pyarrow and Polars. The argument is its folder.

Prints the query results of each reader.
"""

import json
import sys

import duckdb
import polars
import pyarrow.compute as pc
import pyarrow.dataset

X = "right.Palm.position.x"


def by_duckdb(folder: str) -> dict[str, object]:
    frames, events, recordings = (f"'{folder}/{table}/*.parquet'" for table in ("frames", "events", "recordings"))
    rows = duckdb.sql(f'select recording, count(*), max("{X}") from {frames} group by recording order by recording').fetchall()
    one = duckdb.sql(f'select time, "{X}" from {frames} where recording = \'{rows[1][0]}\' order by time').fetchall()
    pinches = duckdb.sql(f"select count(*) from {events} where kind = 'pinch' and hand = 'right'").fetchall()
    errors = duckdb.sql(f"select recording from {recordings} where error is not null").fetchall()
    return {
        "frames": [list(row) for row in rows],
        "one": [list(row) for row in one],
        "pinches": pinches[0][0],
        "broken": [row[0] for row in errors],
    }


def by_pyarrow(folder: str) -> dict[str, object]:
    def table(name: str, **options: object) -> pyarrow.Table:
        return pyarrow.dataset.dataset(f"{folder}/{name}", format="parquet").to_table(**options)

    grouped = table("frames", columns=["recording", X]).group_by("recording").aggregate([([], "count_all"), (X, "max")])
    rows = [[row["recording"], row["count_all"], row[f"{X}_max"]] for row in grouped.sort_by("recording").to_pylist()]
    one = table("frames", columns=["time", X], filter=pc.field("recording") == rows[1][0]).sort_by("time")
    pinches = table("events", filter=(pc.field("kind") == "pinch") & (pc.field("hand") == "right"))
    broken = table("recordings", filter=~pc.field("error").is_null())
    return {
        "frames": rows,
        "one": [list(row.values()) for row in one.to_pylist()],
        "pinches": pinches.num_rows,
        "broken": broken["recording"].to_pylist(),
    }


def by_polars(folder: str) -> dict[str, object]:
    frames, events, recordings = (
        polars.scan_parquet(f"{folder}/{table}/*.parquet") for table in ("frames", "events", "recordings")
    )
    grouped = frames.group_by("recording").agg(polars.len(), polars.col(X).max()).sort("recording").collect()
    rows = [list(row) for row in grouped.iter_rows()]
    one = frames.filter(polars.col("recording") == rows[1][0]).sort("time").select("time", X).collect()
    pinches = events.filter((polars.col("kind") == "pinch") & (polars.col("hand") == "right")).collect()
    broken = recordings.filter(polars.col("error").is_not_null()).collect()
    return {
        "frames": rows,
        "one": [list(row) for row in one.iter_rows()],
        "pinches": pinches.height,
        "broken": broken["recording"].to_list(),
    }


def main(folder: str) -> None:
    readers = {"duckdb": by_duckdb, "pyarrow": by_pyarrow, "polars": by_polars}
    print(json.dumps({name: read(folder) for name, read in readers.items()}))


main(*sys.argv[1:])
