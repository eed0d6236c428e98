"""Recordings into tables, files and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from holotape import _holotape
from holotape._loss import Loss, told
from holotape._options import PathLike, TableName
from holotape._table import Table

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow
    from typing_extensions import Unpack

    from holotape._options import TableOptions, WriteOptions


class Exports:
    """What a recording can be given away as."""

    __slots__ = ()

    _native: _holotape.Recording

    def table(self, table: TableName = "frames", **options: Unpack[TableOptions]) -> Table:
        """A table that every program takes which reads Arrow: ``frames``, a row for each instant, or ``keys``, a row for
        each key. The same as in a Parquet file."""
        native = _holotape.WriteOptions(to="arrow", table=table, **options)
        native.check(None)
        return Table(self._native, native)

    def to_arrow(self, table: TableName = "frames", **options: Unpack[TableOptions]) -> pyarrow.Table:
        """A table for pyarrow, without a copy.

        >>> import holotape
        >>> holotape.demo(seconds=1).to_arrow("keys").column_names[:3]
        ['curve', 'time', 'value']
        """
        return self.table(table, **options).to_arrow()

    def to_pandas(self, table: TableName = "frames", **options: Unpack[TableOptions]) -> pandas.DataFrame:
        """A table for pandas.

        >>> import holotape
        >>> holotape.demo(seconds=1).to_pandas(rate=30)["left.IndexTip.position.y"].count().item()
        31
        """
        return self.table(table, **options).to_pandas()

    def to_polars(self, table: TableName = "frames", **options: Unpack[TableOptions]) -> polars.DataFrame:
        """A table for Polars."""
        return self.table(table, **options).to_polars()

    def save(self, path: PathLike, **options: Unpack[WriteOptions]) -> list[Loss]:
        """Writes a file of the kind that its name says, and gives what that could not hold, which is also warned of. A file
        that is there is replaced in one step.

        >>> import holotape
        >>> holotape.demo(seconds=1).save("take.glb")
        []
        """
        native = _holotape.WriteOptions(**options)
        native.check(path)
        return told(self._native.save(path, native), strict=options.get("strict", False))

    def to_bytes(self, **options: Unpack[WriteOptions]) -> bytes:
        """The bytes of a file: an input animation, or what ``to`` says."""
        native = _holotape.WriteOptions(**options)
        native.check(None)
        data, losses = self._native.to_bytes(native)
        told(losses, strict=options.get("strict", False))
        return data

    def to_svg(
        self,
        *,
        curves: Sequence[str] = (),
        span: tuple[float, float] | None = None,
        size: tuple[int, int] | None = None,
        theme: str = "light",
        title: str | None = None,
    ) -> str:
        """A picture of what somebody did, as ``holotape plot`` draws it; or of curves, by name, with ``*`` for any part."""
        picture = self._native.picture(
            png=False, curves=curves, span=span, size=size, scale=1.0, theme=theme, title=title
        )
        return picture.decode()

    def to_png(
        self,
        *,
        curves: Sequence[str] = (),
        span: tuple[float, float] | None = None,
        size: tuple[int, int] | None = None,
        scale: float = 1.0,
        theme: str = "light",
        title: str | None = None,
    ) -> bytes:
        """The same picture as PNG, with ``scale`` pixels for each."""
        return self._native.picture(
            png=True, curves=curves, span=span, size=size, scale=scale, theme=theme, title=title
        )
