"""SQL queries over recording files or datasets, with DuckDB."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from holotape import _holotape
from holotape._corpus import TABLES, Corpus, Inputs, as_paths, schema
from holotape._filter import And, Compare, IsNull, Not, OneOf, Or, Predicate, ScanFilter
from holotape._table import require_module

if TYPE_CHECKING:
    import duckdb


def connect(
    source: Inputs,
    *,
    rate: float | None = None,
    errors: Literal["raise", "skip"] = "skip",
    jobs: int | None = None,
    connection: duckdb.DuckDBPyConnection | None = None,
) -> duckdb.DuckDBPyConnection:
    """Returns a DuckDB connection with the tables ``recordings``, ``frames``, ``events`` and ``keys``.

    ``source`` is a dataset written by :func:`build_dataset`, or recording files: folders, files, or patterns such as
    ``study/**/*.bin``. Every query reads the files again, in parallel, but only the curves of the columns that it needs,
    and only the recordings, hands and times that its ``where`` selects. Build a dataset for frequent queries.

    ``rate`` is the number of frames per second (default: 60; a dataset has its own). An unreadable recording has a row
    in ``recordings`` with its error, and none in other tables; with ``errors="raise"``, the query fails instead.
    ``jobs`` is the number of files to read in parallel. ``connection`` adds the tables to an existing connection.

    >>> import holotape
    >>> for seed in range(3):
    ...     _ = holotape.demo(seconds=5, seed=seed).save(f"take{seed}.bin")
    >>> tables = holotape.connect("take?.bin")
    >>> tables.sql("select recording, max(time) from frames where time < 2 group by all order by all").fetchall()[0]
    ('take0.bin', 1.9833333333333334)
    """
    if connection is None:
        connection = require_module("duckdb", "sql").connect()
    paths = as_paths(source)
    files = _holotape.dataset_files(paths[0]) if len(paths) == 1 else None
    if files is not None:
        _connect_dataset(connection, Path(paths[0]), files, rate)
        return connection
    corpus = Corpus(paths, rate=60 if rate is None else rate, errors=errors, jobs=jobs)
    for table in TABLES:
        _register(connection, corpus, table)
    return connection


def sql(
    query: str,
    source: Inputs,
    *,
    params: Sequence[object] | dict[str, object] | None = None,
    rate: float | None = None,
    errors: Literal["raise", "skip"] = "skip",
    jobs: int | None = None,
) -> duckdb.DuckDBPyRelation:
    """Runs one query. Convert the result with ``.df()`` for pandas, ``.pl()`` for Polars, ``.arrow()`` for pyarrow, or
    ``.fetchall()`` for tuples. See :func:`connect` for ``source`` and the options.

    >>> import holotape
    >>> _ = holotape.demo(seconds=5).save("take.bin")
    >>> holotape.sql("select kind, count(*) as n from events where hand = 'right' group by all order by kind", "take.bin").df()
          kind  n
    0    pinch  1
    1  tracked  1
    """
    connection = connect(source, rate=rate, errors=errors, jobs=jobs)
    return connection.sql(query) if params is None else connection.sql(query, params=params)


def _connect_dataset(
    connection: duckdb.DuckDBPyConnection,
    folder: Path,
    files: tuple[list[tuple[str, list[Path]]], float],
    rate: float | None,
) -> None:
    tables, rate_hz = files
    if rate is not None and rate != rate_hz:
        raise ValueError(f"{folder} has {rate_hz:g} frames per second, not {rate:g}; build it with rate={rate:g}")
    existing = dict(tables)
    for table in TABLES:
        if table in existing:
            paths = ", ".join(_quoted(str(path)) for path in existing[table])
            connection.execute(f"create or replace temp view {table} as select * from read_parquet([{paths}])")
        else:
            message = f"{folder} has no table {table}; build it with {table}=True"
            # The view fails only if a query reads it.
            columns = ", ".join(f'null as "{name}"' for name in _holotape.TableSchema(table).names)
            no_rows = f"select {columns} from range(1) where error({_quoted(message)})"
            connection.execute(f"create or replace temp view {table} as {no_rows}")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _register(connection: duckdb.DuckDBPyConnection, corpus: Corpus, table: str) -> None:
    """Registers a table of a corpus with DuckDB.

    DuckDB 2 pushes down all predicates to Arrow scan sources, through a private interface. Without it, DuckDB gets a
    pyarrow dataset, which receives the columns and applies the filters.
    """
    source = _source(corpus, table)
    if source is not None:
        connection._register_arrow_source(table, source)
    else:
        connection.register(table, _dataset(corpus, table))


def _source(corpus: Corpus, table: str) -> Any:
    try:
        from duckdb import DuckDBPyConnection
        from duckdb._sources import ArrowScanSource, nodes
    except ImportError:
        return None
    if not hasattr(DuckDBPyConnection, "_register_arrow_source"):
        return None
    names = _holotape.TableSchema(table).names

    class Source(ArrowScanSource):
        """A table that accepts columns and predicates from DuckDB."""

        schema_is_stable = True

        def __arrow_c_schema__(self) -> object:
            return _holotape.TableSchema(table).__arrow_c_schema__()

        def accepts(self, predicate: nodes.Node) -> bool:
            translated = _to_predicate(predicate, nodes)
            return translated is not None and ScanFilter(table).push_down(translated)

        def stream(self, columns: Sequence[int] | None, filters: Sequence[nodes.Node]) -> tuple[object, bool]:
            scan_filter = ScanFilter(table)
            for node in filters:
                predicate = _to_predicate(node, nodes)
                if predicate is None or not scan_filter.push_down(predicate):
                    raise ValueError(f"unexpected filter, not accepted before: {node.fragment()}")
            chosen = None if columns is None else [names[column] for column in columns]
            return corpus.open_scan(table, chosen, scan_filter).__arrow_c_stream__(), chosen is not None

    return Source(corpus)


def _to_predicate(node: Any, nodes: Any) -> Predicate | None:
    """Converts a predicate of DuckDB; None if it is not supported."""
    if isinstance(node, nodes.Binary) and node.op in ("AND", "OR"):
        left, right = _to_predicate(node.left, nodes), _to_predicate(node.right, nodes)
        if left is None or right is None:
            return None
        return And((left, right)) if node.op == "AND" else Or((left, right))
    if isinstance(node, nodes.Unary) and node.op == "NOT":
        operand = _to_predicate(node.operand, nodes)
        return None if operand is None else Not(operand)
    column = getattr(node, "left", None) or getattr(node, "operand", None)
    if not isinstance(column, nodes.Col) or len(column.parts) != 1:
        return None
    (name,) = column.parts
    if isinstance(node, nodes.Binary) and isinstance(node.right, nodes.Lit):
        return Compare(name, node.op, node.right.value)
    if isinstance(node, nodes.In):
        return OneOf(name, tuple(value.value for value in node.values))
    if isinstance(node, nodes.Postfix):
        return IsNull(name) if node.op == "IS NULL" else Not(IsNull(name))
    return None


def _dataset(corpus: Corpus, table: str) -> Any:
    """Returns a table as a pyarrow dataset."""
    pyarrow = require_module("pyarrow", "sql")
    dataset = require_module("pyarrow.dataset", "sql")
    columns_of_table = schema(table)

    class Dataset(dataset.Dataset):  # type: ignore[misc, name-defined]
        """A table that reads only the needed columns."""

        def __init__(self) -> None:
            """Does not call the constructor of pyarrow, which raises."""

        @property
        def schema(self) -> Any:
            return columns_of_table

        def scanner(self, columns: Sequence[str] | None = None, filter: Any = None, **_: Any) -> Any:
            chosen = columns_of_table.names if columns is None else list(columns)
            # The text of a filter contains the names of its columns. A name in it by chance is read needlessly.
            filter_text = "" if filter is None else str(filter)
            needed = [name for name in columns_of_table.names if name in chosen or name in filter_text]
            scan = corpus.open_scan(table, needed, ScanFilter(table))
            reader = pyarrow.RecordBatchReader.from_stream(scan)
            fields = {name: dataset.field(name) for name in chosen}
            return dataset.Scanner.from_batches(reader, columns=fields, filter=filter)

    return Dataset()
