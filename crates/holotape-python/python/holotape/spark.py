"""Recordings as tables of Spark.

>>> import holotape.spark
>>> holotape.spark.HolotapeDataSource.name()
'holotape'

Once for each session::

    spark.dataSource.register(holotape.spark.HolotapeDataSource)

and then::

    spark.read.format("holotape").option("table", "events").load("study")

Options: ``table`` (``recordings``, ``frames``, ``events`` or ``keys``), ``rate`` (frames a second, 60), ``columns`` (names
with commas between: only these are read, because Spark does not say which it needs), ``errors`` (``fail`` or ``skip``),
``partitionBytes`` (how much of files a task reads, 32 MiB), ``pushdown`` (whether to take filters on ``take``, ``hand`` and
the time from Spark: that has to have ``spark.sql.python.filterPushdown.enabled``, or else refuses). Every worker has to see
the files under the same path.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holotape import _holotape
from holotape._corpus import TABLES, Inputs, paths_of
from holotape._corpus import schema as table_schema
from holotape._predicate import Compare, IsNull, Not, OneOf, Predicate, StartsWith, Wish

try:
    import pyarrow
    from pyspark.sql import datasource
    from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
    from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
except ImportError as _error:
    raise ImportError("this needs pyspark: pip install holotape[spark]", name="pyspark") from _error

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType

__all__ = ["HolotapeDataSource", "register"]

_PARTITION_BYTES = 32 << 20
_PUSHDOWN = "spark.sql.python.filterPushdown.enabled"

_logger = logging.getLogger(__name__)


class HolotapeDataSource(DataSource):
    """Recordings where they are, as the format ``holotape``."""

    @classmethod
    def name(cls) -> str:
        """What this is called in ``spark.read.format``."""
        return "holotape"

    def schema(self) -> StructType:
        """The columns of the table that is asked for."""
        columns = _columns(self.options)
        fields = table_schema(_table(self.options))
        unknown = [name for name in columns or [] if name not in fields.names]
        if unknown:
            raise ValueError(f"the table {_table(self.options)} has no column {unknown[0]!r}")
        return from_arrow_schema(fields if columns is None else pyarrow.schema([fields.field(name) for name in columns]))

    def reader(self, schema: StructType) -> DataSourceReader:
        """What reads them: a schema of one's own chooses columns, too."""
        pushes = _flag(self.options, "pushdown")
        return (_PushingReader if pushes else _Reader)(self.options, schema)


def register(
    spark: SparkSession, source: Inputs, *, rate: float | None = None, errors: str = "fail", **options: object
) -> None:
    """Makes the tables of recordings known to a session: the views ``recordings``, ``frames``, ``events`` and ``keys``.

    ``source`` is a dataset that ``holotape.build_dataset`` made, or recordings where they are, as in
    ``holotape.connect``. Takes that cannot be read end a query with an error; with ``errors="skip"`` they have a row in
    ``recordings`` that says why, and the log of the worker has a warning. Other options are those of the format.
    """
    paths = [str(path) for path in paths_of(source)]
    files = _holotape.dataset_files(paths[0]) if len(paths) == 1 else None
    if files is not None:
        tables, rate_hz = files
        if rate is not None and rate != rate_hz:
            raise ValueError(f"{paths[0]} has {rate_hz:g} frames a second, not {rate:g}: build it again with that rate")
        for table, parts in tables:
            spark.read.parquet(*map(str, parts)).createOrReplaceTempView(table)
        return
    spark.dataSource.register(HolotapeDataSource)
    given = {"rate": 60 if rate is None else rate, "errors": errors, "pushdown": spark.conf.get(_PUSHDOWN), **options}
    for table in TABLES:
        read = spark.read.format("holotape").option("table", table).option("paths", json.dumps(paths))
        for name, value in given.items():
            read = read.option(name, str(value))
        read.load().createOrReplaceTempView(table)


class _Takes(InputPartition):
    """Takes that one task reads: their names and where they are."""

    def __init__(self, takes: list[tuple[str, str]]) -> None:
        super().__init__(takes)


class _Reader(DataSourceReader):
    def __init__(self, options: Mapping[str, str], schema: StructType) -> None:
        self._table = _table(options)
        self._schema = schema
        self._rate = _number(options, "rate", 60.0)
        self._errors = options.get("errors", "fail")
        self._partition_bytes = int(_number(options, "partitionBytes", _PARTITION_BYTES))
        self._paths = _paths(options)
        self._wish = Wish(self._table)
        # What makes no sense is told by the session, not by each of its workers.
        self._scan([])

    def partitions(self) -> Sequence[InputPartition]:
        found = [(take, str(path)) for take, path in _holotape.find_takes(self._paths)]
        return [_Takes(takes) for takes in _parts(self._wish.takes(found), self._partition_bytes)]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        schema = to_arrow_schema(self._schema)
        scan = self._scan(partition.value)
        for batch in pyarrow.RecordBatchReader.from_stream(scan):
            columns = [
                column if column.type == field.type else column.cast(field.type)
                for column, field in zip(batch.columns, schema, strict=True)
            ]
            yield pyarrow.RecordBatch.from_arrays(columns, schema=schema)
        _, skipped, _, _ = scan.counts()
        if skipped:
            words = "%d of %d takes from %s on could not be read and were skipped; the table recordings has their errors"
            _logger.warning(words, skipped, len(partition.value), partition.value[0][0])

    def _scan(self, takes: list[tuple[str, str]]) -> _holotape.Scan:
        return _holotape.Scan(
            takes,
            self._table,
            columns=self._schema.fieldNames(),
            start=self._wish.start,
            end=self._wish.end,
            hands=self._wish.hands,
            rate=self._rate,
            # Spark has as many tasks as it has cores.
            jobs=1,
            errors=self._errors,
        )


class _PushingReader(_Reader):
    def pushFilters(self, filters: list[datasource.Filter]) -> Iterable[datasource.Filter]:
        for each in filters:
            translated = _translated(each)
            if translated is None or not self._wish.add(translated):
                yield each


def _translated(filter: datasource.Filter) -> Predicate | None:
    """A filter of Spark's in our words; nothing where we have none."""
    if isinstance(filter, datasource.Not):
        of = _translated(filter.child)
        return None if of is None else Not(of)
    path: tuple[str, ...] = getattr(filter, "attribute", ())
    if len(path) != 1:
        return None
    (column,) = path
    comparisons: dict[type[Any], str] = {
        datasource.EqualTo: "=",
        datasource.LessThan: "<",
        datasource.LessThanOrEqual: "<=",
        datasource.GreaterThan: ">",
        datasource.GreaterThanOrEqual: ">=",
    }
    if type(filter) in comparisons:
        compared: Any = filter
        return Compare(column, comparisons[type(filter)], compared.value)
    if isinstance(filter, datasource.In):
        return OneOf(column, tuple(filter.value))
    if isinstance(filter, datasource.StringStartsWith):
        return StartsWith(column, filter.value)
    if isinstance(filter, datasource.IsNull):
        return IsNull(column)
    if isinstance(filter, datasource.IsNotNull):
        return Not(IsNull(column))
    return None


def _parts(takes: Iterable[tuple[str, str]], most_bytes: int) -> list[list[tuple[str, str]]]:
    """Takes in their order, cut so that none has more bytes than that: small ones together, large ones alone."""
    parts: list[list[tuple[str, str]]] = []
    room = 0
    for take in takes:
        size = _size(take[1])
        if not parts or size > room:
            parts.append([])
            room = most_bytes
        parts[-1].append(take)
        room -= size
    return parts


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        # That it cannot be read is told by whoever reads it.
        return 0


def _table(options: Mapping[str, str]) -> str:
    table = options.get("table", "recordings")
    if table not in TABLES:
        raise ValueError(f"there is no table {table!r}: there are {', '.join(TABLES)}")
    return table


def _columns(options: Mapping[str, str]) -> list[str] | None:
    columns = options.get("columns")
    return None if columns is None else [name.strip() for name in columns.split(",")]


def _flag(options: Mapping[str, str], name: str) -> bool:
    word = options.get(name, "false").lower()
    if word not in ("true", "false"):
        raise ValueError(f"{name} has to be true or false, not {word!r}")
    return word == "true"


def _number(options: Mapping[str, str], name: str, otherwise: float) -> float:
    word = options.get(name, otherwise)
    try:
        number = float(word)
    except ValueError:
        raise ValueError(f"{name} has to be a number, not {word!r}") from None
    if not number > 0:
        raise ValueError(f"{name} has to be above 0, not {word!r}")
    return number


def _paths(options: Mapping[str, str]) -> list[str]:
    paths: list[str] = json.loads(options["paths"]) if "paths" in options else []
    paths += [options["path"]] if "path" in options else []
    if not paths:
        raise ValueError("which recordings? give a folder, a pattern or a file to load()")
    for path in paths:
        if _holotape.dataset_files(path) is not None:
            words = f"{path} is a dataset: read its Parquet files, or call holotape.spark.register(spark, {path!r})"
            raise ValueError(words)
    return [str(Path(path)) for path in paths]
