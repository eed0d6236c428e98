"""Recordings sampled at many times, as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class HandSamples:
    """A hand at n times."""

    joints: NDArray[np.float32]
    """Joints, (n, 27, 7): position x, y, z and rotation x, y, z, w of each, in the order of :data:`holotape.JOINTS`. NaN
    while the hand is not tracked, and for joints without keys."""
    tracked: NDArray[np.bool_]
    """Whether the hand is tracked, (n,)."""
    pinching: NDArray[np.bool_]
    """Whether thumb and index finger pinch, (n,)."""

    def __repr__(self) -> str:
        return f"<HandSamples: {len(self.tracked)} times, tracked at {int(self.tracked.sum())}>"


@dataclass(frozen=True, eq=False)
class Samples:
    """A recording at n times, in Unity's coordinates: metres, x right, y up, z forward.

    >>> import holotape
    >>> s = holotape.demo(seconds=2).sample(rate=60)
    >>> s.time.shape, s.camera.shape, s.left.joints.shape, s.right.pinching.shape, s.gaze.shape
    ((121,), (121, 7), (121, 27, 7), (121,), (121, 6))
    """

    time: NDArray[np.float64]
    """Seconds, (n,)."""
    camera: NDArray[np.float32]
    """The head, (n, 7): position x, y, z and rotation x, y, z, w. NaN without a camera."""
    left: HandSamples
    """The left hand."""
    right: HandSamples
    """The right hand."""
    gaze: NDArray[np.float32]
    """The gaze, (n, 6): origin x, y, z and direction x, y, z. NaN without gaze."""

    def __len__(self) -> int:
        return len(self.time)

    def __repr__(self) -> str:
        return f"<Samples: {len(self)} times>"
