"""Plots of recordings with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from holotape._joints import JOINTS, PARENTS, Joint
from holotape._samples import HandSamples
from holotape._table import require_module

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from holotape._recording import Recording

# The palette of Okabe and Ito, which is safe for colour-blind readers.
_LEFT, _RIGHT, _HEAD = "#0072b2", "#d55e00", "#444444"
_HANDS = (("left", _LEFT), ("right", _RIGHT))

# About the number of pixel columns of a wide screen.
_MAX_POINTS = 4000


def _pyplot() -> Any:
    return require_module("matplotlib.pyplot", "plot")


def overview(recording: Recording, title: str | None) -> Figure:
    """Draws head and palms over time, with tracked and pinching spans below."""
    figure, (head, palms, bands) = _pyplot().subplots(
        3, 1, sharex=True, figsize=(9, 6), height_ratios=(2, 2, 1.2), layout="constrained"
    )
    samples = recording.sample(np.linspace(0, recording.duration_secs, _point_count(recording)))
    # Relative to the start: the head moves by centimetres, at a height of metres.
    for n, (axis, style) in enumerate(zip("xyz", ("-", "--", ":"))):
        offset = samples.camera[:, n] - samples.camera[0, n]
        head.plot(samples.time, 100 * offset, style, color=_HEAD, label=axis)
    head.set_ylabel("head, relative to start [cm]")
    head.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    for (name, colour), hand in zip(_HANDS, (samples.left, samples.right)):
        palms.plot(samples.time, _height(hand), color=colour, label=name)
    palms.set_ylabel("palms, height [m]")
    palms.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    timeline(recording, bands)
    for ax in (head, palms):
        ax.spines[["top", "right"]].set_visible(False)
        _mark(ax, recording)
    figure.suptitle(title if title is not None else f"{recording.duration_secs:.1f} s")
    return figure  # type: ignore[no-any-return]


def _point_count(recording: Recording) -> int:
    return int(np.clip(recording.duration_secs * 60, 2, _MAX_POINTS))


def _height(hand: HandSamples) -> NDArray[np.float32]:
    """Returns the height of the palm, or of the wrist if there is no palm."""
    palm = hand.joints[:, Joint.Palm, 1]
    return hand.joints[:, Joint.Wrist, 1] if np.isnan(palm).all() else palm


def _mark(ax: Axes, recording: Recording) -> None:
    for marker in recording.markers:
        ax.axvline(marker.time, color="#999999", linewidth=0.8, zorder=0)


def timeline(recording: Recording, ax: Axes | None) -> Axes:
    """Draws tracked spans in pale colours, pinches in full ones, and markers."""
    if ax is None:
        ax = _pyplot().subplots(figsize=(9, 1.8), layout="constrained")[1]
    assert ax is not None
    for row, (name, colour) in enumerate(_HANDS):
        curves = recording.left if name == "left" else recording.right
        for flag, alpha, height in (("tracked", 0.3, 0.7), ("pinching", 1.0, 0.7)):
            bands = _clip_spans(curves[flag].spans(), recording.duration_secs) if curves else []
            ax.broken_barh(bands, (row - height / 2, height), facecolors=colour, alpha=alpha, linewidth=0)
    _mark(ax, recording)
    ax.set_yticks([0, 1], [name for name, _ in _HANDS])
    ax.set_ylim(1.6, -0.6)
    ax.set_xlim(0, max(recording.duration_secs, 1e-3))
    ax.set_xlabel("time [s]; pale: tracked, full: pinching")
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(left=False)
    return ax


def _clip_spans(spans: NDArray[np.float64], duration: float) -> list[tuple[float, float]]:
    """Returns starts and lengths of spans, clipped to the recording."""
    inside = np.clip(spans, 0, duration)
    return [(float(start), float(end - start)) for start, end in inside if end > start]


def hands(recording: Recording, time: float, ax: Axes | None) -> Axes:
    """Draws the skeletons of both hands: x right, z forward, y up."""
    if ax is None:
        ax = _pyplot().subplots(subplot_kw={"projection": "3d"}, figsize=(6, 5))[1]
    axes: Any = ax
    samples = recording.sample([time])
    for (name, colour), hand in zip(_HANDS, (samples.left, samples.right)):
        _bones(axes, hand.joints[0, :, :3], colour, name)
    axes.set(xlabel="x [m]", ylabel="z [m]", zlabel="y [m]", title=f"{time:.2f} s")
    axes.set_aspect("equal")
    axes.locator_params(nbins=4)
    axes.view_init(elev=20, azim=-100)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(frameon=False)
    return axes  # type: ignore[no-any-return]


def _bones(axes: Any, positions: NDArray[np.float32], colour: str, name: str) -> None:
    label: str | None = name
    for joint, parent in enumerate(PARENTS):
        if parent is None or JOINTS[joint] == "None" or np.isnan(positions[[joint, parent]]).any():
            continue
        x, y, z = positions[[parent, joint]].T
        axes.plot(x, z, y, "-o", color=colour, markersize=2.5, linewidth=1.5, label=label)
        label = None
