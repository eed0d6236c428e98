"""The 27 joints of a hand."""

from __future__ import annotations

from enum import IntEnum

from holotape import _holotape

_ALL = _holotape.joints()

JOINTS: tuple[str, ...] = tuple(name for name, _ in _ALL)
"""The names of the joints, in the order of arrays."""

PARENTS: tuple[int | None, ...] = tuple(parent for _, parent in _ALL)
"""The index of the parent of each joint, towards the wrist; None if it has none."""


class Joint(IntEnum):
    """The index of a joint in arrays.

    >>> import holotape
    >>> samples = holotape.demo(seconds=1).sample([0.5])
    >>> samples.right.joints[0, holotape.Joint.IndexTip].shape
    (7,)
    """

    NONE = 0
    Wrist = 1
    Palm = 2
    ThumbMetacarpalJoint = 3
    ThumbProximalJoint = 4
    ThumbDistalJoint = 5
    ThumbTip = 6
    IndexMetacarpal = 7
    IndexKnuckle = 8
    IndexMiddleJoint = 9
    IndexDistalJoint = 10
    IndexTip = 11
    MiddleMetacarpal = 12
    MiddleKnuckle = 13
    MiddleMiddleJoint = 14
    MiddleDistalJoint = 15
    MiddleTip = 16
    RingMetacarpal = 17
    RingKnuckle = 18
    RingMiddleJoint = 19
    RingDistalJoint = 20
    RingTip = 21
    PinkyMetacarpal = 22
    PinkyKnuckle = 23
    PinkyMiddleJoint = 24
    PinkyDistalJoint = 25
    PinkyTip = 26
