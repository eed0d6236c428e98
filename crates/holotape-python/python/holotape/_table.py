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
    """A table of a recording for any Arrow consumer, such as pyarrow, Polars or DuckDB, without a copy. Rows are created
    when they are read.

    >>> import holotape, pyarrow
    >>> table = holotape.demo(seconds=1).table("frames", rate=10)
    >>> len(table), table.columns[:2]
    (11, ['time', 'camera.position.x'])
    >>> pyarrow.table(table).num_rows
    11
    """

    __slots__ = ("_count", "_stream")

    def __init__(self, native: _holotape.Recording, options: _holotape.WriteOptions) -> None:
        self._stream = _holotape.TableStream(native, options)
        self._count: int | None = None

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._stream.columns

    def __len__(self) -> int:
        if self._count is None:
            self._count = self._stream.row_count()
        return self._count

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._stream.__arrow_c_stream__(requested_schema)

    def to_arrow(self) -> pyarrow.Table:
        """Returns a pyarrow table."""
        return require_module("pyarrow", "arrow").table(self)

    def to_pandas(self) -> pandas.DataFrame:
        """Returns a pandas data frame. Columns of a hand have missing values while it is not tracked."""
        require_module("pandas", "pandas")
        frame: pandas.DataFrame = self.to_arrow().to_pandas()
        return frame

    def to_polars(self) -> polars.DataFrame:
        """Returns a Polars data frame."""
        frame: polars.DataFrame = require_module("polars", "polars").DataFrame(self)
        return frame

    def __repr__(self) -> str:
        return f"<Table: {len(self)} rows, {len(self.columns)} columns>"


def require_module(module: str, extra: str) -> Any:
    """Imports an optional dependency; names the extra to install if it is missing."""
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise ImportError(f"missing package {package}; run pip install holotape[{extra}]", name=package) from error
