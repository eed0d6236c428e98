"""Recordings as tables."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from holotape import _holotape

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


class Table:
    """A table of a recording that Arrow's programs read without a copy: pyarrow, Polars, DuckDB and others take it as it
    is. Its rows are made when somebody asks for them.

    >>> import holotape, pyarrow
    >>> table = holotape.demo(seconds=1).table("frames", rate=10)
    >>> len(table), table.columns[:2]
    (11, ['time', 'camera.position.x'])
    >>> pyarrow.table(table).num_rows
    11
    """

    __slots__ = ("_count", "_stream")

    def __init__(self, native: _holotape.Recording, options: _holotape.WriteOptions) -> None:
        self._stream = _holotape.Stream(native, options)
        self._count: int | None = None

    @property
    def columns(self) -> list[str]:
        """The names of its columns."""
        return self._stream.columns

    def __len__(self) -> int:
        if self._count is None:
            self._count = self._stream.row_count()
        return self._count

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._stream.__arrow_c_stream__(requested_schema)

    def to_arrow(self) -> pyarrow.Table:
        """The table for pyarrow."""
        return needed("pyarrow", "arrow").table(self)

    def to_pandas(self) -> pandas.DataFrame:
        """The table for pandas. Where a hand was not tracked, its columns have missing values."""
        needed("pandas", "pandas")
        frame: pandas.DataFrame = self.to_arrow().to_pandas()
        return frame

    def to_polars(self) -> polars.DataFrame:
        """The table for Polars."""
        frame: polars.DataFrame = needed("polars", "polars").DataFrame(self)
        return frame

    def __repr__(self) -> str:
        return f"<Table: {len(self)} rows, {len(self.columns)} columns>"


def needed(module: str, extra: str) -> Any:
    """A module that not everybody has."""
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise ImportError(f"this needs {package}: pip install holotape[{extra}]", name=package) from error
