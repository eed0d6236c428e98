"""Conversion of recordings to tables, files and plots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from holotape import _holotape
from holotape._loss import Loss, warn_losses
from holotape._options import PathLike, TableName
from holotape._table import Table

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow
    from typing_extensions import Unpack

    from holotape._options import TableOptions, WriteOptions


class ExportMixin:
    """Conversion of a recording to tables, files and plots."""

    __slots__ = ()

    _native: _holotape.Recording

    def table(self, table: TableName = "frames", **options: Unpack[TableOptions]) -> Table:
        """Returns a table for any Arrow consumer: ``frames`` has one row per frame, ``keys`` one row per key. It equals
        that of a Parquet file."""
        native = _holotape.WriteOptions(to="arrow", table=table, **options)
        native.check(None)
        return Table(self._native, native)

    def to_arrow(self, table: TableName = "frames", **options: Unpack[TableOptions]) -> pyarrow.Table:
        """Returns a pyarrow table, without a copy.

        >>> import holotape
        >>> holotape.demo(seconds=1).to_arrow("keys").column_names[:3]
        ['curve', 'time', 'value']
        """
        return self.table(table, **options).to_arrow()

    def to_pandas(self, table: TableName = "frames", **options: Unpack[TableOptions]) -> pandas.DataFrame:
        """Returns a pandas data frame.

        >>> import holotape
        >>> holotape.demo(seconds=1).to_pandas(rate=30)["left.IndexTip.position.y"].count().item()
        31
        """
        return self.table(table, **options).to_pandas()

    def to_polars(self, table: TableName = "frames", **options: Unpack[TableOptions]) -> polars.DataFrame:
        """Returns a Polars data frame."""
        return self.table(table, **options).to_polars()

    def save(self, path: PathLike, **options: Unpack[WriteOptions]) -> list[Loss]:
        """Writes a file in the format of its extension. Returns the losses, which are also issued as warnings. An
        existing file is replaced atomically.

        >>> import holotape
        >>> holotape.demo(seconds=1).save("take.glb")
        []
        """
        native = _holotape.WriteOptions(**options)
        native.check(path)
        return warn_losses(self._native.save(path, native), strict=options.get("strict", False))

    def to_bytes(self, **options: Unpack[WriteOptions]) -> bytes:
        """Returns the bytes of a file: an input animation, or the format ``to``."""
        native = _holotape.WriteOptions(**options)
        native.check(None)
        data, losses = self._native.to_bytes(native)
        warn_losses(losses, strict=options.get("strict", False))
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
        """Draws the recording as ``holotape plot`` does, or curves by name; ``*`` matches any part of a name."""
        image = self._native.plot_image(
            png=False, curves=curves, span=span, size=size, scale=1.0, theme=theme, title=title
        )
        return image.decode()

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
        """Draws the same image as PNG, with ``scale`` pixels per pixel of ``size``."""
        return self._native.plot_image(
            png=True, curves=curves, span=span, size=size, scale=scale, theme=theme, title=title
        )
