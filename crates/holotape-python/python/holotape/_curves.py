"""Curves: keys over time, evaluated as Unity does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holotape import _holotape

KEY = np.dtype([("time", "f4"), ("value", "f4")])
"""What the keys of straight curves look like."""

BEZIER_KEY = np.dtype(
    [
        ("time", "f4"),
        ("value", "f4"),
        ("in_tangent", "f4"),
        ("out_tangent", "f4"),
        ("in_weight", "f4"),
        ("out_weight", "f4"),
        ("weighted_mode", "i4"),
    ]
)
"""What the keys of curves with tangents and weights look like."""


def as_times(times: ArrayLike) -> NDArray[np.float64]:
    """Times as the library takes them: 64-bit floats in one dimension."""
    array = np.atleast_1d(np.asarray(times, dtype=np.float64))
    if array.ndim != 1:
        raise ValueError(f"times have to be in one dimension, not {array.ndim}")
    return array


class Curve:
    """One of the up to 395 curves of a recording.

    >>> import holotape
    >>> height = holotape.demo(seconds=1)["camera.position.y"]
    >>> height.keys.dtype.names, len(height)
    (('time', 'value'), 61)
    >>> height([0.25, 0.5]).shape
    (2,)
    """

    __slots__ = ("_native", "name")

    name: str
    """Its name: ``left.IndexTip.rotation.w``."""

    def __init__(self, native: _holotape.Recording, name: str) -> None:
        self._native = native
        self.name = name

    @property
    def keys(self) -> NDArray[np.void]:
        """Its keys, one record each: :data:`KEY`, or :data:`BEZIER_KEY` for curves with tangents.

        They are those of the recording itself, not a copy, and cannot be written to.
        """
        return np.asarray(self._native.keys(self.name))

    @property
    def wrap_modes(self) -> tuple[int, int]:
        """What it does before its first and after its last key, by Unity's numbers: 2 begins again, 4 goes back and forth,
        everything else clamps."""
        return self._native.wrap_modes(self.name)

    def spans(self) -> NDArray[np.float64]:
        """When a flag is true, as an array (n, 2) of starts and ends. The first may start before all time, the last may
        never end."""
        spans = self._native.spans(self.name)
        if spans is None:
            raise TypeError(f"{self.name} is a curve of numbers; flags are tracked and pinching")
        return np.array(spans, dtype=np.float64).reshape(-1, 2)

    def __call__(self, times: ArrayLike) -> NDArray[Any]:
        """Its values at these times, before any normalisation: 64-bit floats, NaN without keys; booleans for flags."""
        return self._native.values(self.name, as_times(times))

    def __len__(self) -> int:
        return len(self.keys)

    def __repr__(self) -> str:
        return f"<Curve {self.name}: {len(self)} keys>"


class Curves(Mapping[str, Curve]):
    """Curves of a recording by name: all of them, or those of a part.

    >>> import holotape
    >>> take = holotape.demo(seconds=1)
    >>> len(take.curves), len(take.left), len(take.left.part("IndexTip"))
    (395, 191, 7)
    >>> take.left["IndexTip.position.x"]
    <Curve left.IndexTip.position.x: 61 keys>
    """

    __slots__ = ("_names", "_native", "_prefix")

    def __init__(self, native: _holotape.Recording, prefix: str = "") -> None:
        self._native = native
        self._prefix = prefix
        # In the order of the file, and quick to find.
        self._names = {name: None for name in native.curve_names if name.startswith(prefix)}

    def part(self, name: str) -> Curves:
        """The curves of a part of these: ``take.left.part("IndexTip")``."""
        part = Curves(self._native, f"{self._prefix}{name}.")
        if not part:
            raise KeyError(f"{self._prefix}{name}")
        return part

    def __getitem__(self, name: str) -> Curve:
        full_name = self._prefix + name
        if full_name not in self._names:
            raise KeyError(full_name)
        return Curve(self._native, full_name)

    def __iter__(self) -> Iterator[str]:
        return (name.removeprefix(self._prefix) for name in self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<Curves {self._prefix}*: {len(self)}>"
