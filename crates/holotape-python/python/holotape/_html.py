"""Recordings as a notebook shows them."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from holotape._recording import Recording

_WIDTH, _ROW = 480, 14
_COLOURS = {"left": "#0072b2", "right": "#d55e00"}
_MOST_MARKERS = 8


def of_recording(take: Recording) -> str:
    """What it is in a table, and when hands were tracked and pinching."""
    rows = {
        "length": f"{take.duration:.3f} s, {len(take):,} frames",
        "format": f"version {take.version}, {take.key_layout} keys",
        "keys": ", ".join(f"{name} {count:,}" for name, count in _key_counts(take).items()) or "none",
        "markers": _markers(take),
    }
    cells = "".join(f"<tr><th style='text-align:left'>{name}</th><td>{value}</td></tr>" for name, value in rows.items())
    bands = "".join(_band(take, hand) for hand in _COLOURS) if take.left else ""
    return f"<table>{cells}{bands}</table>"


def _key_counts(take: Recording) -> dict[str, int]:
    parts = {"camera": take.camera, "left": take.left, "right": take.right, "gaze": take.gaze}
    return {name: sum(map(len, curves.values())) for name, curves in parts.items() if curves}


def _markers(take: Recording) -> str:
    markers = take.markers
    names = [f"{escape(marker.name)} ({marker.time:.2f} s)" for marker in markers[:_MOST_MARKERS]]
    more = len(markers) - len(names)
    return ", ".join([*names, f"and {more} more"] if more > 0 else names) or "none"


def _band(take: Recording, hand: str) -> str:
    """Pale where it was tracked, full where it pinched."""
    curves = take.left if hand == "left" else take.right
    bars = "".join(
        f"<rect x='{start:.1f}' y='1' width='{end - start:.1f}' height='{_ROW - 2}' fill='{_COLOURS[hand]}' opacity='{opacity}'/>"
        for flag, opacity in (("tracked", 0.3), ("pinching", 1))
        for start, end in np.clip(curves[flag].spans() / max(take.duration, 1e-9), 0, 1) * _WIDTH
    )
    picture = f"<svg width='{_WIDTH}' height='{_ROW}' style='background:#8882'>{bars}</svg>"
    return f"<tr><th style='text-align:left'>{hand}</th><td>{picture}</td></tr>"
