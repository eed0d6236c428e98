"""A Spark data source for recordings.

>>> import holotape.spark
>>> holotape.spark.HolotapeDataSource.name()
'holotape'

Register it once per Spark session::

    spark.dataSource.register(holotape.spark.HolotapeDataSource)

Then read a table::

    spark.read.format("holotape").option("table", "events").load("study")

Options: ``table`` (``recordings``, ``frames``, ``events`` or ``keys``), ``rate`` (frames per second, 60), ``columns`` (names
separated by commas; only these are read, because Spark does not report which ones it needs), ``errors`` (``raise`` or
``skip``), ``partitionBytes`` (file bytes per task, 32 MiB), ``pushdown`` (whether Spark pushes down filters on
``recording``, ``hand`` and time; fails unless ``spark.sql.python.filterPushdown.enabled`` is set). All workers must see the
files under the same path.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holotape import _holotape
from holotape._corpus import TABLES, Inputs, as_paths
from holotape._corpus import schema as table_schema
from holotape._filter import Compare, IsNull, Not, OneOf, Predicate, ScanFilter, StartsWith

try:
    import pyarrow
    from pyspark.sql import datasource
    from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
    from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
except ImportError as _error:
    raise ImportError("missing package pyspark; run pip install holotape[spark]", name="pyspark") from _error

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType

__all__ = ["HolotapeDataSource", "register"]

_PARTITION_BYTES = 32 << 20
_PUSHDOWN = "spark.sql.python.filterPushdown.enabled"

_logger = logging.getLogger(__name__)


class HolotapeDataSource(DataSource):
    """Recording files as the format ``holotape``."""

    @classmethod
    def name(cls) -> str:
        """Returns the name for ``spark.read.format``."""
        return "holotape"

    def schema(self) -> StructType:
        """Returns the columns of the table."""
        columns = _columns(self.options)
        fields = table_schema(_table(self.options))
        unknown = [name for name in columns or [] if name not in fields.names]
        if unknown:
            raise ValueError(f"unknown column of table {_table(self.options)}: {unknown[0]!r}")
        return from_arrow_schema(fields if columns is None else pyarrow.schema([fields.field(name) for name in columns]))

    def reader(self, schema: StructType) -> DataSourceReader:
        """Returns the reader. A schema given by the user selects columns, too."""
        reader = _PushDownReader if _flag(self.options, "pushdown") else _Reader
        return reader(self.options, schema)


def register(
    spark: SparkSession, source: Inputs, *, rate: float | None = None, errors: str = "raise", **options: object
) -> None:
    """Creates the views ``recordings``, ``frames``, ``events`` and ``keys`` in a Spark session.

    ``source`` is a dataset written by ``holotape.build_dataset``, or recording files, as in ``holotape.connect``. A query
    fails at an unreadable recording; with ``errors="skip"``, the recording has a row in ``recordings`` with its error, and
    the worker logs a warning. Other options are those of the format.
    """
    paths = [str(path) for path in as_paths(source)]
    files = _holotape.dataset_files(paths[0]) if len(paths) == 1 else None
    if files is not None:
        tables, rate_hz = files
        if rate is not None and rate != rate_hz:
            raise ValueError(f"{paths[0]} has {rate_hz:g} frames per second, not {rate:g}; build it with rate={rate:g}")
        for table, table_files in tables:
            spark.read.parquet(*map(str, table_files)).createOrReplaceTempView(table)
        return
    spark.dataSource.register(HolotapeDataSource)
    given = {"rate": 60 if rate is None else rate, "errors": errors, "pushdown": spark.conf.get(_PUSHDOWN), **options}
    for table in TABLES:
        read = spark.read.format("holotape").option("table", table).option("paths", json.dumps(paths))
        for name, value in given.items():
            read = read.option(name, str(value))
        read.load().createOrReplaceTempView(table)


class _Partition(InputPartition):
    """The recordings that one task reads: names and paths."""

    def __init__(self, recordings: list[tuple[str, str]]) -> None:
        super().__init__(recordings)


class _Reader(DataSourceReader):
    def __init__(self, options: Mapping[str, str], schema: StructType) -> None:
        self._table = _table(options)
        self._schema = schema
        self._rate = _number(options, "rate", 60.0)
        self._errors = options.get("errors", "raise")
        self._partition_bytes = int(_number(options, "partitionBytes", _PARTITION_BYTES))
        self._paths = _paths(options)
        self._filter = ScanFilter(self._table)
        # Raise errors of invalid options here, not in each worker.
        self._scan([])

    def partitions(self) -> Sequence[InputPartition]:
        found = [(name, str(path)) for name, path in _holotape.find_recordings(self._paths)]
        selected = self._filter.select_recordings(found)
        return [_Partition(recordings) for recordings in _make_partitions(selected, self._partition_bytes)]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        schema = to_arrow_schema(self._schema)
        scan = self._scan(partition.value)
        for batch in pyarrow.RecordBatchReader.from_stream(scan):
            columns = [
                column if column.type == field.type else column.cast(field.type)
                for column, field in zip(batch.columns, schema)
            ]
            yield pyarrow.RecordBatch.from_arrays(columns, schema=schema)
        _, skipped, _, _ = scan.counts()
        if skipped:
            message = "skipped %d of %d recordings from %s on: unreadable; the table recordings has their errors"
            _logger.warning(message, skipped, len(partition.value), partition.value[0][0])

    def _scan(self, recordings: list[tuple[str, str]]) -> _holotape.Scan:
        return _holotape.Scan(
            recordings,
            self._table,
            columns=self._schema.fieldNames(),
            start=self._filter.start,
            end=self._filter.end,
            hands=self._filter.hands,
            rate=self._rate,
            # Spark runs one task per core.
            jobs=1,
            errors=self._errors,
        )


class _PushDownReader(_Reader):
    def pushFilters(self, filters: list[datasource.Filter]) -> Iterable[datasource.Filter]:
        for filter in filters:
            predicate = _to_predicate(filter)
            if predicate is None or not self._filter.push_down(predicate):
                yield filter


def _to_predicate(filter: datasource.Filter) -> Predicate | None:
    """Converts a filter of Spark; None if it is not supported."""
    if isinstance(filter, datasource.Not):
        operand = _to_predicate(filter.child)
        return None if operand is None else Not(operand)
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


def _make_partitions(recordings: Iterable[tuple[str, str]], max_bytes: int) -> list[list[tuple[str, str]]]:
    """Groups recordings in order, with at most ``max_bytes`` per group, or one recording that is larger."""
    partitions: list[list[tuple[str, str]]] = []
    free_bytes = 0
    for recording in recordings:
        size = _file_size(recording[1])
        if not partitions or size > free_bytes:
            partitions.append([])
            free_bytes = max_bytes
        partitions[-1].append(recording)
        free_bytes -= size
    return partitions


def _file_size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        # The scan reports the error.
        return 0


def _table(options: Mapping[str, str]) -> str:
    table = options.get("table", "recordings")
    if table not in TABLES:
        raise ValueError(f"unknown table {table!r}; use one of {', '.join(TABLES)}")
    return table


def _columns(options: Mapping[str, str]) -> list[str] | None:
    columns = options.get("columns")
    return None if columns is None else [name.strip() for name in columns.split(",")]


def _flag(options: Mapping[str, str], name: str) -> bool:
    text = options.get(name, "false").lower()
    if text not in ("true", "false"):
        raise ValueError(f"{name} must be true or false, not {text!r}")
    return text == "true"


def _number(options: Mapping[str, str], name: str, default: float) -> float:
    text = options.get(name, default)
    try:
        number = float(text)
    except ValueError:
        raise ValueError(f"{name} must be a number, not {text!r}") from None
    if not number > 0:
        raise ValueError(f"{name} must be greater than 0, not {text!r}")
    return number


def _paths(options: Mapping[str, str]) -> list[str]:
    paths: list[str] = json.loads(options["paths"]) if "paths" in options else []
    paths += [options["path"]] if "path" in options else []
    if not paths:
        raise ValueError("missing path: pass a folder, a pattern or a file to load()")
    for path in paths:
        if _holotape.dataset_files(path) is not None:
            message = f"{path} is a dataset; read its Parquet files, or call holotape.spark.register(spark, {path!r})"
            raise ValueError(message)
    return [str(Path(path)) for path in paths]
