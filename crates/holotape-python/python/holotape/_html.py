"""The display of recordings in notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from holotape._recording import Recording

_WIDTH, _ROW = 480, 14
_COLOURS = {"left": "#0072b2", "right": "#d55e00"}
_MAX_MARKERS = 8


def recording_html(recording: Recording) -> str:
    """Returns a table of the contents, with bars for tracked and pinching spans."""
    rows = {
        "duration": f"{recording.duration_secs:.3f} s, {len(recording):,} frames",
        "format": f"version {recording.version}, {recording.key_layout} keys",
        "keys": ", ".join(f"{name} {count:,}" for name, count in _key_counts(recording).items()) or "none",
        "markers": _markers(recording),
    }
    cells = "".join(f"<tr><th style='text-align:left'>{name}</th><td>{value}</td></tr>" for name, value in rows.items())
    bands = "".join(_band(recording, hand) for hand in _COLOURS) if recording.left else ""
    return f"<table>{cells}{bands}</table>"


def _key_counts(recording: Recording) -> dict[str, int]:
    parts = {"camera": recording.camera, "left": recording.left, "right": recording.right, "gaze": recording.gaze}
    return {name: sum(map(len, curves.values())) for name, curves in parts.items() if curves}


def _markers(recording: Recording) -> str:
    markers = recording.markers
    names = [f"{escape(marker.name)} ({marker.time:.2f} s)" for marker in markers[:_MAX_MARKERS]]
    more = len(markers) - len(names)
    return ", ".join([*names, f"and {more} more"] if more > 0 else names) or "none"


def _band(recording: Recording, hand: str) -> str:
    """Draws tracked spans in a pale colour and pinches in the full one."""
    curves = recording.left if hand == "left" else recording.right
    bars = "".join(
        f"<rect x='{start:.1f}' y='1' width='{end - start:.1f}' height='{_ROW - 2}' fill='{_COLOURS[hand]}' opacity='{opacity}'/>"
        for flag, opacity in (("tracked", 0.3), ("pinching", 1))
        for start, end in np.clip(curves[flag].spans() / max(recording.duration_secs, 1e-9), 0, 1) * _WIDTH
    )
    svg = f"<svg width='{_WIDTH}' height='{_ROW}' style='background:#8882'>{bars}</svg>"
    return f"<tr><th style='text-align:left'>{hand}</th><td>{svg}</td></tr>"
