"""Pictures of recordings with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from holotape._joints import JOINTS, PARENTS, Joint
from holotape._samples import HandSamples
from holotape._table import needed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from holotape._recording import Recording

# Those of Okabe and Ito, which people tell apart who do not see all colours.
_LEFT, _RIGHT, _HEAD = "#0072b2", "#d55e00", "#444444"
_HANDS = (("left", _LEFT), ("right", _RIGHT))

# More points than a wide screen has pixels show nothing more.
_MOST_POINTS = 4000


def _pyplot() -> Any:
    return needed("matplotlib.pyplot", "plot")


def overview(take: Recording, title: str | None) -> Figure:
    """Head and palms over time, and below when hands were tracked and pinching."""
    figure, (head, palms, bands) = _pyplot().subplots(
        3, 1, sharex=True, figsize=(9, 6), height_ratios=(2, 2, 1.2), layout="constrained"
    )
    samples = take.sample(np.linspace(0, take.duration, _point_count(take)))
    # From where it began: people sway by centimetres, a metre and a half above the ground.
    for n, (axis, style) in enumerate(zip("xyz", ("-", "--", ":"), strict=True)):
        way = samples.camera[:, n] - samples.camera[0, n]
        head.plot(samples.time, 100 * way, style, color=_HEAD, label=axis)
    head.set_ylabel("head, from its start [cm]")
    head.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    for (name, colour), hand in zip(_HANDS, (samples.left, samples.right), strict=True):
        palms.plot(samples.time, _height(hand), color=colour, label=name)
    palms.set_ylabel("palms, height [m]")
    palms.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    timeline(take, bands)
    for ax in (head, palms):
        ax.spines[["top", "right"]].set_visible(False)
        _mark(ax, take)
    figure.suptitle(title if title is not None else f"{take.duration:.1f} s")
    return figure  # type: ignore[no-any-return]


def _point_count(take: Recording) -> int:
    return int(np.clip(take.duration * 60, 2, _MOST_POINTS))


def _height(hand: HandSamples) -> NDArray[np.float32]:
    """Of the palm, or of the wrist where there is no palm."""
    palm = hand.joints[:, Joint.Palm, 1]
    return hand.joints[:, Joint.Wrist, 1] if np.isnan(palm).all() else palm


def _mark(ax: Axes, take: Recording) -> None:
    for marker in take.markers:
        ax.axvline(marker.time, color="#999999", linewidth=0.8, zorder=0)


def timeline(take: Recording, ax: Axes | None) -> Axes:
    """Bands where hands were tracked, fuller ones where they pinched, and the markers."""
    if ax is None:
        ax = _pyplot().subplots(figsize=(9, 1.8), layout="constrained")[1]
    assert ax is not None
    for row, (name, colour) in enumerate(_HANDS):
        curves = take.left if name == "left" else take.right
        for flag, alpha, height in (("tracked", 0.3, 0.7), ("pinching", 1.0, 0.7)):
            bands = _within(curves[flag].spans(), take.duration) if curves else []
            ax.broken_barh(bands, (row - height / 2, height), facecolors=colour, alpha=alpha, linewidth=0)
    _mark(ax, take)
    ax.set_yticks([0, 1], [name for name, _ in _HANDS])
    ax.set_ylim(1.6, -0.6)
    ax.set_xlim(0, max(take.duration, 1e-3))
    ax.set_xlabel("time [s]; pale: tracked, full: pinching")
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(left=False)
    return ax


def _within(spans: NDArray[np.float64], duration: float) -> list[tuple[float, float]]:
    """Starts and lengths of what lies within the recording."""
    inside = np.clip(spans, 0, duration)
    return [(float(start), float(end - start)) for start, end in inside if end > start]


def hands(take: Recording, time: float, ax: Axes | None) -> Axes:
    """Bones of both hands, seen from behind: x right, z forward, y up."""
    if ax is None:
        ax = _pyplot().subplots(subplot_kw={"projection": "3d"}, figsize=(6, 5))[1]
    axes: Any = ax
    samples = take.sample([time])
    for (name, colour), hand in zip(_HANDS, (samples.left, samples.right), strict=True):
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
