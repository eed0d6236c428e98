"""What one can do with recordings and files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holotape import _holotape, _reports
from holotape._curves import as_times
from holotape._errors import InvalidError
from holotape._joints import JOINTS
from holotape._loss import Loss, told
from holotape._options import PathLike, Source, Space
from holotape._recording import Recording, read_source
from holotape._reports import Diff, Finding, RepairReport
from holotape._samples import HandSamples
from holotape._table import needed

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from holotape._options import WriteOptions


def open(source: Source, *, space: Space = "unity") -> Recording:
    """Opens a recording, from a path, bytes or a file: an input animation of any version, or any other kind that is read,
    told by content. What a recording has no place for is warned of, and in its ``losses``.

    ``space`` is that of a table which does not say, as a CSV.

    >>> import holotape
    >>> holotape.open(holotape.demo(seconds=1).to_bytes()).duration
    1.0
    """
    return _open(source, space, stacklevel=4)


def _open(source: Source, space: str, *, stacklevel: int, strict: bool = False) -> Recording:
    found = read_source(source)
    if isinstance(found, bytes):
        native, _, losses = _holotape.from_bytes(found, space)
    else:
        native, _, losses = _holotape.open_path(found, space)
    return Recording(native, told(losses, strict=strict, stacklevel=stacklevel))


def demo(*, seconds: float = 12.0, seed: int = 1, rate: float = 60.0) -> Recording:
    """A recording of synthetic motion, to try things on. The same options always make the same recording."""
    return Recording(_holotape.demo(seconds, seed, rate))


def convert(
    source: Source, target: PathLike, *, from_space: Space = "unity", **options: Unpack[WriteOptions]
) -> list[Loss]:
    """Converts a file into another kind, by its name or by ``to``, and gives what was lost on the way.

    >>> import holotape
    >>> _ = holotape.demo(seconds=1).save("take.bin")
    >>> holotape.convert("take.bin", "take.parquet", table="keys")
    []
    """
    name = Path(source).name if isinstance(source, str | os.PathLike) else None
    native = _holotape.WriteOptions(source=name, **options)
    native.check(target)
    strict = options.get("strict", False)
    take = _open(source, from_space, stacklevel=4, strict=strict)
    return [*take.losses, *told(take._native.save(target, native), strict=strict)]


def from_frames(
    time: ArrayLike,
    *,
    camera: ArrayLike | None = None,
    left: HandSamples | ArrayLike | None = None,
    right: HandSamples | ArrayLike | None = None,
    gaze: ArrayLike | None = None,
    markers: Iterable[tuple[float, str]] = (),
) -> Recording:
    """Makes a recording of arrays, with the shapes that :class:`Samples` has. What is NaN is absent. A hand may be its
    joints alone, (n, 27, 7): it is then tracked where any of them is there, and never pinches.

    >>> import holotape, numpy
    >>> take = holotape.from_frames([0, 1, 2], camera=numpy.tile([0, 1.6, 0, 0, 0, 0, 1], (3, 1)))
    >>> take.duration, len(take)
    (2.0, 3)
    """
    times = as_times(time)
    count = len(times)
    native, losses = _holotape.from_frames(
        times,
        _rows("camera", camera, (count, 7)),
        _rows("gaze", gaze, (count, 6)),
        _hand("left", left, count),
        _hand("right", right, count),
    )
    marked = Recording(native).replace(markers=markers)
    marked.losses = told(losses)
    return marked


def _rows(name: str, rows: ArrayLike | None, shape: tuple[int, ...]) -> NDArray[np.float32] | None:
    if rows is None:
        return None
    array = np.asarray(rows, dtype=np.float32)
    if array.shape != shape:
        raise ValueError(f"{name} has to have the shape {shape}, not {array.shape}")
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
            raise ValueError(f"the flags of {name} have to have the shape {(count,)}, not {np.shape(flag)}")
    return np.asarray(tracked, dtype=np.bool_), np.asarray(pinching, dtype=np.bool_), joints


def from_table(table: Any, *, space: Space = "unity") -> Recording:
    """Makes a recording of a table of frames or keys, of pyarrow, pandas, Polars or anything else that speaks Arrow.

    >>> import holotape
    >>> take = holotape.demo(seconds=1)
    >>> holotape.from_table(take.to_polars("keys")) == take
    True
    """
    arrow = needed("pyarrow", "arrow")
    parquet = needed("pyarrow.parquet", "arrow")
    try:
        whole = arrow.table(table)
    except (TypeError, ValueError) as error:
        raise InvalidError(f"this is no table that Arrow can read: {error}") from error
    # Every program has a way of its own to keep few words that come often.
    words = arrow.table([_plain(arrow, column) for column in whole.columns], names=whole.column_names)
    sink = arrow.BufferOutputStream()
    parquet.write_table(words.replace_schema_metadata(whole.schema.metadata), sink, compression="lz4")
    return _open(sink.getvalue().to_pybytes(), space, stacklevel=4)


def _plain(arrow: Any, column: Any) -> Any:
    if arrow.types.is_dictionary(column.type):
        chunks = [_plain(arrow, chunk.dictionary).take(chunk.indices) for chunk in column.chunks]
        return arrow.chunked_array(chunks, arrow.string())
    return column.cast(arrow.string()) if arrow.types.is_string_view(column.type) else column


def concat(recordings: Iterable[Recording], *, gap: float = 0.0) -> Recording:
    """Recordings one after the other, as one.

    >>> import holotape
    >>> holotape.concat([holotape.demo(seconds=1), holotape.demo(seconds=2)], gap=0.5).duration
    3.5
    """
    return Recording(_holotape.concat([take._native for take in recordings], gap))


def merge(
    *,
    camera: Recording | None = None,
    hands: Recording | None = None,
    left: Recording | None = None,
    right: Recording | None = None,
    gaze: Recording | None = None,
    markers: Sequence[Recording] | None = None,
) -> Recording:
    """One recording made of parts of several: the head of one, the hands of another. Markers are those of all, unless
    given."""

    def native(take: Recording | None) -> _holotape.Recording | None:
        return None if take is None else take._native

    marked = None if markers is None else [take._native for take in markers]
    left, right = (hands if hand is None else hand for hand in (left, right))
    return Recording(_holotape.merge(native(camera), native(left), native(right), native(gaze), marked))


def check(
    source: Recording | Source, *, max_speed: float = 20.0, max_bone_change: float = 0.5
) -> list[Finding]:
    """What is wrong with a recording, or with a file that may be broken, the worst first."""
    if isinstance(source, Recording):
        return source.check(max_speed=max_speed, max_bone_change=max_bone_change)
    return _reports.findings(_holotape.check_bytes(_all_bytes(source), max_speed, max_bone_change))


def repair(source: Recording | Source, *, headerless: bool = False) -> tuple[Recording, RepairReport]:
    """Mends a recording, or what there is of a file that is cut or damaged, and says what was done and what is lost.

    >>> import holotape
    >>> data = holotape.demo(seconds=1).to_bytes()
    >>> take, report = holotape.repair(data[: len(data) // 2])
    >>> len(report.lost) > 0
    True
    """
    if isinstance(source, Recording):
        return source.repair()
    native, report = _holotape.salvage(_all_bytes(source), headerless)
    return Recording(native), _reports.repair_report(report)


def _all_bytes(source: Source) -> bytes:
    found = read_source(source)
    return found if isinstance(found, bytes) else Path(found).read_bytes()


def diff(first: Recording, second: Recording, *, tolerance: tuple[float, float] | None = None) -> Diff:
    """How two recordings differ: in what they have, and then in where things are. With a tolerance, in metres and degrees,
    also whether they are the same motion.

    >>> import holotape
    >>> take = holotape.demo(seconds=2)
    >>> small, _ = take.optimize()
    >>> holotape.diff(take, small, tolerance=(0.003, 0.5)).within_tolerance
    True
    """
    return _reports.diff_of(*_holotape.diff(first._native, second._native, tolerance))


def recover(path: PathLike) -> Recording:
    """What a :class:`Recorder` left in its journal that did not get to save its recording."""
    native, _, _ = _holotape.recover(path)
    return Recording(native)
