"""Reads a Parquet table and rewrites it with other programs. Arguments: the file and an output folder.

Prints the names of the written files.
"""

import json
import pathlib
import sys

import duckdb
import polars
import pyarrow.csv
import pyarrow.parquet

path, folder = sys.argv[1], pathlib.Path(sys.argv[2])
names = [str(folder / name) for name in ("pyarrow.parquet", "duckdb.parquet", "polars.parquet", "pyarrow.csv")]
table = pyarrow.parquet.read_table(path)
pyarrow.parquet.write_table(table, names[0])
duckdb.sql(f"copy (from '{path}') to '{names[1]}'")
polars.read_parquet(path).write_parquet(names[2])
pyarrow.csv.write_csv(table, names[3])
print(json.dumps(names))
