"""Types of options that several functions share."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, BinaryIO, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import TypeAlias

PathLike: TypeAlias = "str | os.PathLike[str]"
"""A path to a file."""

Source: TypeAlias = "str | os.PathLike[str] | bytes | bytearray | memoryview | BinaryIO"
"""A path, bytes, or a file object opened in binary mode."""

Space = Literal["unity", "right-handed"]
"""The coordinate system of positions and rotations."""

TableName = Literal["frames", "keys"]
"""One row per frame, or one row per key."""

FileFormat = Literal[
    "bin", "json", "csv", "parquet", "arrow", "glb", "gltf", "bvh", "mcap", "isaac", "iwer", "handsbin"
]
"""The formats that can be written."""


class FormatOptions(TypedDict, total=False):
    """Options for input animations. By default, the format stays that of the input."""

    version: Literal["1.0", "1.1"]
    """As in MRTK 2.0 to 2.5, or as in MRTK 2.6 to 2.8."""
    key_layout: Literal["full", "compact"]
    """Keys with tangents and weights (28 bytes), or without (8 bytes). MRTK reads version 1.1 only with compact keys."""
    marker_list: bool
    """Whether to write a marker list, even an empty one."""


class TableOptions(TypedDict, total=False):
    """Options for tables."""

    rate: float
    """Frames per second; by default, one frame at every key time."""
    space: Space
    """``unity`` by default."""
    include_untracked: bool
    """Include interpolated poses of untracked hands."""


class WriteOptions(FormatOptions, TableOptions, total=False):
    """Options for files. An option without effect on the output format is an error."""

    to: FileFormat
    """Output format, if the extension does not imply it."""
    strict: bool
    """Raise :class:`holotape.LossError` and write nothing if anything would be lost."""
    table: TableName
    """Tables: ``frames`` by default."""
    hierarchy: bool
    """glTF: nest joints as a skeleton, instead of placing all in world space."""
    bones: Literal["free", "fixed"]
    """BVH: bones of recorded or of constant length."""
    unit: Literal["m", "cm"]
    """BVH: the unit of lengths."""
    handsbin_version: Literal[1, 2]
    """Unity hand captures: as in XR Hands 1.7, or as in XR Hands 1.8 to 1.10 (default)."""
