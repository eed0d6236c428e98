"""Reads a table with pyarrow, DuckDB and Polars. Arguments: a Parquet or Arrow file, and column names.

Prints the column values of each reader, and the metadata of the file.
"""

import json
import sys

import duckdb
import polars
import pyarrow
import pyarrow.ipc
import pyarrow.parquet


def main(path: str, *columns: str) -> None:
    if path.endswith(".parquet"):
        table = pyarrow.parquet.read_table(path)
        quoted = ", ".join(f'"{column}"' for column in columns)
        rows = duckdb.sql(f"select {quoted} from '{path}'").fetchall()
        duck = {column: [row[n] for row in rows] for n, column in enumerate(columns)}
        frame = polars.read_parquet(path)
    else:
        with pyarrow.ipc.open_file(path) as reader:
            table = reader.read_all()
        duck = None
        frame = polars.read_ipc(path)
    metadata = {key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()}
    answer = {
        "pyarrow": {column: table[column].to_pylist() for column in columns},
        "duckdb": duck,
        "polars": {column: frame[column].to_list() for column in columns},
        "metadata": {key: value for key, value in metadata.items() if key.startswith("holotape.")},
        "rows": table.num_rows,
        "columns": table.num_columns,
        "types": {column: str(table.schema.field(column).type) for column in columns},
    }
    print(json.dumps(answer))


main(*sys.argv[1:])
