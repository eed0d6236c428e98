"""Options that several functions share."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, BinaryIO, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import TypeAlias

PathLike: TypeAlias = "str | os.PathLike[str]"
"""A path to a file."""

Source: TypeAlias = "str | os.PathLike[str] | bytes | bytearray | memoryview | BinaryIO"
"""Where a recording can come from: a path, bytes, or a file that is open for reading bytes."""

Space = Literal["unity", "right-handed"]
"""Which space positions and rotations are in."""

TableName = Literal["frames", "keys"]
"""A row for each instant, or for each key."""

Kind = Literal["bin", "json", "csv", "parquet", "arrow", "glb", "gltf", "bvh", "mcap", "iwer"]
"""What can be written."""


class FormatOptions(TypedDict, total=False):
    """How an input animation is to be written. Without any, as it came in."""

    version: Literal["1.0", "1.1"]
    """As MRTK 2.0 to 2.5, or as MRTK 2.6 to 2.8."""
    key_layout: Literal["full", "compact"]
    """Keys with tangents and weights (28 bytes), or without (8 bytes). MRTK reads compact ones in 1.1 only."""
    marker_list: bool
    """Whether there is a list of markers, if only an empty one."""


class TableOptions(TypedDict, total=False):
    """What a table is to hold."""

    rate: float
    """Frames so many times a second, instead of wherever there is a key."""
    space: Space
    """Unity's own unless given."""
    untracked: bool
    """Poses of hands where they were not tracked, too: nobody recorded them, they are interpolated."""


class WriteOptions(FormatOptions, TableOptions, total=False):
    """How a recording is to be written. Which options there are depends on the kind of file; one that means nothing for it
    is an error."""

    to: Kind
    """What to write, whatever the name of the file."""
    strict: bool
    """Raise :class:`holotape.LossError`, and write nothing, if anything would be lost."""
    table: TableName
    """Tables: ``frames`` unless given."""
    hierarchy: bool
    """glTF: bones inside each other, instead of all in world space."""
    bones: Literal["free", "fixed"]
    """BVH: bones as they were, or of the same length throughout."""
    unit: Literal["m", "cm"]
    """BVH: the unit of lengths."""
