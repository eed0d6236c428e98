"""Functions on recordings and files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holotape import _holotape, _reports
from holotape._curves import to_time_array
from holotape._errors import InvalidError
from holotape._joints import JOINTS
from holotape._loss import Loss, warn_losses
from holotape._options import PathLike, Source, Space
from holotape._recording import Recording, read_source
from holotape._reports import Diff, Finding, RepairReport
from holotape._samples import HandSamples
from holotape._table import require_module

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from holotape._options import WriteOptions


def open(source: Source, *, space: Space = "unity") -> Recording:
    """Opens a recording from a path, bytes or a file object. The format is detected by content, and so is compression
    with gzip or zstd. Losses are issued as warnings, and are in ``losses``.

    ``space`` is the coordinate system of a table without metadata, such as CSV.

    >>> import holotape
    >>> holotape.open(holotape.demo(seconds=1).to_bytes()).duration_secs
    1.0
    """
    return _open(source, space, stacklevel=4)


def _open(source: Source, space: str, *, stacklevel: int, strict: bool = False) -> Recording:
    data = read_source(source)
    if isinstance(data, bytes):
        native, _, losses = _holotape.from_bytes(data, space)
    else:
        native, _, losses = _holotape.open_path(data, space)
    return Recording(native, warn_losses(losses, strict=strict, stacklevel=stacklevel))


def demo(*, seconds: float = 12.0, seed: int = 1, rate: float = 60.0) -> Recording:
    """Generates a recording of synthetic motion, of ``seconds`` at ``rate`` Hz. The same options give the same
    recording."""
    return Recording(_holotape.demo(seconds, seed, rate))


def convert(
    source: Source, target: PathLike, *, from_space: Space = "unity", **options: Unpack[WriteOptions]
) -> list[Loss]:
    """Converts a file to the format of the extension of ``target``, or to ``to``. Returns the losses.

    >>> import holotape
    >>> _ = holotape.demo(seconds=1).save("take.bin")
    >>> holotape.convert("take.bin", "take.parquet", table="keys")
    []
    """
    name = Path(source).name if isinstance(source, (str, os.PathLike)) else None
    native = _holotape.WriteOptions(source=name, **options)
    native.check(target)
    strict = options.get("strict", False)
    recording = _open(source, from_space, stacklevel=4, strict=strict)
    return [*recording.losses, *warn_losses(recording._native.save(target, native), strict=strict)]


def from_frames(
    time: ArrayLike,
    *,
    camera: ArrayLike | None = None,
    left: HandSamples | ArrayLike | None = None,
    right: HandSamples | ArrayLike | None = None,
    gaze: ArrayLike | None = None,
    markers: Iterable[tuple[float, str]] = (),
) -> Recording:
    """Creates a recording from arrays, with the shapes of :class:`Samples`. NaN values are absent. A hand may be an array
    of joints, (n, 27, 7): it is then tracked while any joint is present, and never pinches.

    >>> import holotape, numpy
    >>> recording = holotape.from_frames([0, 1, 2], camera=numpy.tile([0, 1.6, 0, 0, 0, 0, 1], (3, 1)))
    >>> recording.duration_secs, len(recording)
    (2.0, 3)
    """
    times = to_time_array(time)
    count = len(times)
    native, losses = _holotape.from_frames(
        times,
        _rows("camera", camera, (count, 7)),
        _rows("gaze", gaze, (count, 6)),
        _hand("left", left, count),
        _hand("right", right, count),
    )
    marked = Recording(native).replace(markers=markers)
    marked.losses = warn_losses(losses)
    return marked


def _rows(name: str, rows: ArrayLike | None, shape: tuple[int, ...]) -> NDArray[np.float32] | None:
    if rows is None:
        return None
    array = np.asarray(rows, dtype=np.float32)
    if array.shape != shape:
        raise ValueError(f"{name} must have the shape {shape}, not {array.shape}")
    return array


def _hand(name: str, hand: HandSamples | ArrayLike | None, count: int) -> Any:
    if hand is None:
        return None
    samples = hand if isinstance(hand, HandSamples) else None
    joints = _rows(name, samples.joints if samples else hand, (count, len(JOINTS), 7))  # type: ignore[arg-type]
    assert joints is not None
    tracked = samples.tracked if samples else ~np.isnan(joints).all(axis=(1, 2))
    pinching = samples.pinching if samples else np.zeros(count, dtype=np.bool_)
    for flag in (tracked, pinching):
        if np.shape(flag) != (count,):
            raise ValueError(f"flags of {name} must have the shape {(count,)}, not {np.shape(flag)}")
    return np.asarray(tracked, dtype=np.bool_), np.asarray(pinching, dtype=np.bool_), joints


def from_table(table: Any, *, space: Space = "unity") -> Recording:
    """Creates a recording from a table of frames or keys: from pyarrow, pandas, Polars or any other Arrow producer.

    >>> import holotape
    >>> recording = holotape.demo(seconds=1)
    >>> holotape.from_table(recording.to_polars("keys")) == recording
    True
    """
    arrow = require_module("pyarrow", "arrow")
    parquet = require_module("pyarrow.parquet", "arrow")
    try:
        source = arrow.table(table)
    except (TypeError, ValueError) as error:
        raise InvalidError(f"not a table that Arrow can read: {error}") from error
    # Libraries encode repeated strings in different ways.
    plain = arrow.table([_plain_array(arrow, column) for column in source.columns], names=source.column_names)
    sink = arrow.BufferOutputStream()
    parquet.write_table(plain.replace_schema_metadata(source.schema.metadata), sink, compression="lz4")
    return _open(sink.getvalue().to_pybytes(), space, stacklevel=4)


def _plain_array(arrow: Any, column: Any) -> Any:
    if arrow.types.is_dictionary(column.type):
        chunks = [_plain_array(arrow, chunk.dictionary).take(chunk.indices) for chunk in column.chunks]
        return arrow.chunked_array(chunks, arrow.string())
    return column.cast(arrow.string()) if arrow.types.is_string_view(column.type) else column


def concat(recordings: Iterable[Recording], *, gap: float = 0.0) -> Recording:
    """Joins recordings one after the other, ``gap`` seconds apart.

    >>> import holotape
    >>> holotape.concat([holotape.demo(seconds=1), holotape.demo(seconds=2)], gap=0.5).duration_secs
    3.5
    """
    return Recording(_holotape.concat([recording._native for recording in recordings], gap))


def merge(
    *,
    camera: Recording | None = None,
    hands: Recording | None = None,
    left: Recording | None = None,
    right: Recording | None = None,
    gaze: Recording | None = None,
    markers: Sequence[Recording] | None = None,
) -> Recording:
    """Combines channels of several recordings. Markers come from all of them, unless given."""

    def native(recording: Recording | None) -> _holotape.Recording | None:
        return None if recording is None else recording._native

    marked = None if markers is None else [recording._native for recording in markers]
    left, right = (hands if hand is None else hand for hand in (left, right))
    return Recording(_holotape.merge(native(camera), native(left), native(right), native(gaze), marked))


def check(
    source: Recording | Source, *, max_speed: float = 20.0, max_bone_change: float = 0.5
) -> list[Finding]:
    """Returns the findings about a recording, or about a file that may be damaged, the most severe first. Raises an error
    if the file is compressed and cannot be decompressed completely.

    ``max_speed`` is in metres per second, ``max_bone_change`` a fraction of the bone length.
    """
    if isinstance(source, Recording):
        return source.check(max_speed=max_speed, max_bone_change=max_bone_change)
    return _reports.findings(_holotape.check_bytes(_read_bytes(source), max_speed, max_bone_change))


def repair(source: Recording | Source, *, headerless: bool = False) -> tuple[Recording, RepairReport]:
    """Repairs a recording, or salvages a truncated or damaged file, and reports repairs and losses.

    >>> import holotape
    >>> data = holotape.demo(seconds=1).to_bytes()
    >>> recording, report = holotape.repair(data[: len(data) // 2])
    >>> len(report.lost) > 0
    True
    """
    if isinstance(source, Recording):
        return source.repair()
    native, report = _holotape.salvage(_read_bytes(source), headerless)
    return Recording(native), _reports.repair_report(report)


def _read_bytes(source: Source) -> bytes:
    data = read_source(source)
    return data if isinstance(data, bytes) else Path(data).read_bytes()


def diff(first: Recording, second: Recording, *, tolerance: tuple[float, float] | None = None) -> Diff:
    """Compares the contents and the motion of two recordings. ``tolerance``, in metres and degrees, sets
    ``within_tolerance``.

    >>> import holotape
    >>> recording = holotape.demo(seconds=2)
    >>> small, _ = recording.optimize()
    >>> holotape.diff(recording, small, tolerance=(0.003, 0.5)).within_tolerance
    True
    """
    return _reports.parse_diff(*_holotape.diff(first._native, second._native, tolerance))


def recover(path: PathLike) -> Recording:
    """Recovers the recording from the journal of a :class:`Recorder` that did not save it.

    An incomplete record at the end of the journal is dropped, and reported as a :class:`LossWarning` and in
    :attr:`Recording.losses`.
    """
    native, _, dropped_bytes = _holotape.recover(path)
    losses = [("unusable", f"dropped the last {dropped_bytes:,} bytes of the journal: incomplete frame")]
    return Recording(native, warn_losses(losses if dropped_bytes else []))
