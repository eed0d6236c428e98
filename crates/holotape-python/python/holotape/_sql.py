"""SQL over recordings, by DuckDB: where they are, or built into a dataset."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from holotape import _holotape
from holotape._corpus import TABLES, Corpus, Inputs, paths_of, schema
from holotape._predicate import All, Any_, Compare, IsNull, Not, OneOf, Predicate, Wish
from holotape._table import needed

if TYPE_CHECKING:
    import duckdb


def connect(
    source: Inputs,
    *,
    rate: float | None = None,
    errors: Literal["skip", "fail"] = "skip",
    jobs: int | None = None,
    connection: duckdb.DuckDBPyConnection | None = None,
) -> duckdb.DuckDBPyConnection:
    """A connection of DuckDB that has the tables ``recordings``, ``frames``, ``events`` and ``keys`` of many recordings.

    ``source`` is a dataset that :func:`build_dataset` made, or recordings where they are: folders, patterns like
    ``study/**/*.bin``, files. These are read anew by each query, on all cores: only the curves of columns that it needs,
    only takes, hands and times that its ``where`` leaves. So whoever asks much builds a dataset; whoever asks once need
    not.

    ``rate`` is how many frames a second has (60; a dataset has its own). Takes that cannot be read have a row in
    ``recordings`` that says why, and none elsewhere; with ``errors="fail"`` a query ends with an error there.
    ``connection`` is one that is there already, to have other tables beside.

    >>> import holotape
    >>> for seed in range(3):
    ...     _ = holotape.demo(seconds=5, seed=seed).save(f"take{seed}.bin")
    >>> tables = holotape.connect("take?.bin")
    >>> tables.sql("select take, max(time) from frames where time < 2 group by take order by take").fetchall()[0]
    ('take0.bin', 1.9833333333333334)
    """
    duckdb = needed("duckdb", "sql")
    made = connection if connection is not None else duckdb.connect()
    paths = paths_of(source)
    files = _holotape.dataset_files(paths[0]) if len(paths) == 1 else None
    if files is not None:
        _connect_dataset(made, Path(paths[0]), files, rate)
        return made
    corpus = Corpus(paths, rate=60 if rate is None else rate, errors=errors, jobs=jobs)
    for table in TABLES:
        _register(made, corpus, table)
    return made


def sql(
    query: str,
    source: Inputs,
    *,
    params: Sequence[object] | dict[str, object] | None = None,
    rate: float | None = None,
    errors: Literal["skip", "fail"] = "skip",
    jobs: int | None = None,
) -> duckdb.DuckDBPyRelation:
    """The answer to one query over many recordings: with ``.df()`` for pandas, ``.pl()`` for Polars, ``.arrow()`` for
    pyarrow, ``.fetchall()`` for tuples. What ``source`` and the options are, :func:`connect` says.

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
        raise ValueError(f"{folder} has {rate_hz:g} frames a second, not {rate:g}: build it again with that rate")
    there = dict(tables)
    for table in TABLES:
        if table in there:
            paths = ", ".join(_quoted(str(path)) for path in there[table])
            connection.execute(f"create or replace temp view {table} as select * from read_parquet([{paths}])")
        else:
            words = f"{folder} was built without the table {table}: build it again with {table}=True"
            # Whoever does not ask for it need not hear of it.
            columns = ", ".join(f'null as "{name}"' for name in _holotape.TableSchema(table).names)
            no_rows = f"select {columns} from range(1) where error({_quoted(words)})"
            connection.execute(f"create or replace temp view {table} as {no_rows}")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _register(connection: duckdb.DuckDBPyConnection, corpus: Corpus, table: str) -> None:
    """Makes a table of a corpus known to DuckDB.

    DuckDB 2 offers its predicates, all of them, to sources of Arrow, but has no public name for these. Where they are not
    there, it gets a dataset of pyarrow's, which it tells what columns it needs, and which filters by itself.
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
        """A table that DuckDB tells what it needs."""

        schema_is_stable = True

        def __arrow_c_schema__(self) -> object:
            return _holotape.TableSchema(table).__arrow_c_schema__()

        def accepts(self, predicate: nodes.Node) -> bool:
            translated = _translated(predicate, nodes)
            return translated is not None and Wish(table).add(translated)

        def stream(self, columns: Sequence[int] | None, filters: Sequence[nodes.Node]) -> tuple[object, bool]:
            wish = Wish(table)
            for each in filters:
                translated = _translated(each, nodes)
                if translated is None or not wish.add(translated):
                    raise ValueError(f"this was never agreed on: {each.fragment()}")
            chosen = None if columns is None else [names[column] for column in columns]
            return corpus.begin(table, chosen, wish).__arrow_c_stream__(), chosen is not None

    return Source(corpus)


def _translated(node: Any, nodes: Any) -> Predicate | None:
    """A predicate of DuckDB's in our words; nothing where we have none."""
    if isinstance(node, nodes.Binary) and node.op in ("AND", "OR"):
        parts = [_translated(part, nodes) for part in (node.left, node.right)]
        known = tuple(part for part in parts if part is not None)
        if len(known) < len(parts):
            return None
        return All(known) if node.op == "AND" else Any_(known)
    if isinstance(node, nodes.Unary) and node.op == "NOT":
        of = _translated(node.operand, nodes)
        return None if of is None else Not(of)
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
    """A table as a dataset of pyarrow's."""
    pyarrow = needed("pyarrow", "sql")
    dataset = needed("pyarrow.dataset", "sql")
    columns_of_table = schema(table)

    class Dataset(dataset.Dataset):  # type: ignore[misc, name-defined]
        """A table that is told which columns are needed."""

        def __init__(self) -> None:
            """Of pyarrow's own there is none."""

        @property
        def schema(self) -> Any:
            return columns_of_table

        def scanner(self, columns: Sequence[str] | None = None, filter: Any = None, **_: Any) -> Any:
            chosen = columns_of_table.names if columns is None else list(columns)
            # What a filter is about has its name in it; what has its name in it by chance is read in vain.
            words = "" if filter is None else str(filter)
            needed_names = [name for name in columns_of_table.names if name in chosen or name in words]
            scan = corpus.begin(table, needed_names, Wish(table))
            reader = pyarrow.RecordBatchReader.from_stream(scan)
            fields = {name: dataset.field(name) for name in chosen}
            return dataset.Scanner.from_batches(reader, columns=fields, filter=filter)

    return Dataset()
