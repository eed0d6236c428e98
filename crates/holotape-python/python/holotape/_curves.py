"""Curves: keys over time, evaluated by Unity's rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holotape import _holotape

KEY = np.dtype([("time", "f4"), ("value", "f4")])
"""The fields of keys of linear curves."""

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
"""The fields of keys of curves with tangents and weights."""


def to_time_array(times: ArrayLike) -> NDArray[np.float64]:
    """Converts times to a one-dimensional array of 64-bit floats."""
    array = np.atleast_1d(np.asarray(times, dtype=np.float64))
    if array.ndim != 1:
        raise ValueError(f"times must have one dimension, not {array.ndim}")
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
    """The name, such as ``left.IndexTip.rotation.w``."""

    def __init__(self, native: _holotape.Recording, name: str) -> None:
        self._native = native
        self.name = name

    @property
    def keys(self) -> NDArray[np.void]:
        """The keys as a structured array: :data:`KEY`, or :data:`BEZIER_KEY` for curves with tangents.

        The array is a read-only view of the recording's memory, not a copy.
        """
        return np.asarray(self._native.keys(self.name))

    @property
    def wrap_modes(self) -> tuple[int, int]:
        """The wrap modes before the first and after the last key, by Unity's numbers: 2 is loop, 4 is ping-pong, all
        others clamp."""
        return self._native.wrap_modes(self.name)

    def spans(self) -> NDArray[np.float64]:
        """Returns the spans in which a flag is true, as an array (n, 2) of start and end times. The first may start at
        minus infinity, the last may end at infinity."""
        spans = self._native.spans(self.name)
        if spans is None:
            raise TypeError(f"{self.name} is not a flag; only tracked and pinching have spans")
        return np.array(spans, dtype=np.float64).reshape(-1, 2)

    def __call__(self, times: ArrayLike) -> NDArray[Any]:
        """Evaluates the curve, without normalization: 64-bit floats, NaN if it has no keys; booleans for flags."""
        return self._native.values(self.name, to_time_array(times))

    def __len__(self) -> int:
        return len(self.keys)

    def __repr__(self) -> str:
        return f"<Curve {self.name}: {len(self)} keys>"


class Curves(Mapping[str, Curve]):
    """Curves of a recording by name: all, or those of a body part or joint.

    >>> import holotape
    >>> recording = holotape.demo(seconds=1)
    >>> len(recording.curves), len(recording.left), len(recording.left.part("IndexTip"))
    (395, 191, 7)
    >>> recording.left["IndexTip.position.x"]
    <Curve left.IndexTip.position.x: 61 keys>
    """

    __slots__ = ("_names", "_native", "_prefix")

    def __init__(self, native: _holotape.Recording, prefix: str = "") -> None:
        self._native = native
        self._prefix = prefix
        # A dictionary keeps the file order and has fast look-up.
        self._names = {name: None for name in native.curve_names if name.startswith(prefix)}

    def part(self, name: str) -> Curves:
        """Returns the curves whose names start with ``name``: ``recording.left.part("IndexTip")``."""
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
