"""Plots with matplotlib."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import holotape
import matplotlib as mpl
import pytest
from conftest import TESTDATA, valid_pairs
from matplotlib import pyplot as plt

mpl.use("Agg")


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    plt.close("all")


def test_plot_draws_head_palms_and_spans(recording: holotape.Recording) -> None:
    figure = recording.plot(title="Reaching")
    head, palms, bands = figure.axes
    assert figure.get_suptitle() == "Reaching"
    assert [line.get_label() for line in head.lines[:3]] == ["x", "y", "z"]
    assert [line.get_label() for line in palms.lines[:2]] == ["left", "right"]
    assert len(bands.collections) == 4
    assert len(bands.lines) == len(recording.markers)
    figure.savefig("overview.png")


def test_timeline_draws_spans_of_flags(recording: holotape.Recording) -> None:
    axes = recording.plot_timeline()
    tracked = axes.collections[2].get_paths()
    assert len(tracked) == len(recording.right["tracked"].spans())
    assert axes.get_xlim() == (0, 12)
    other = plt.subplots()[1]
    assert recording.plot_timeline(other) is other


def test_plot_hands_draws_skeletons(recording: holotape.Recording) -> None:
    axes = recording.plot_hands(1.0)
    assert len(axes.lines) == 2 * 25
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["left", "right"]
    # The right hand is not tracked then.
    assert len(recording.plot_hands(7.0).lines) == 25


@pytest.mark.parametrize("name", [name for name, _, _ in valid_pairs()])
def test_all_recordings_can_be_plotted(name: str) -> None:
    recording = holotape.open(TESTDATA / f"valid/{name}.bin")
    recording.plot().canvas.draw()
    recording.plot_hands(0.5).figure.canvas.draw()


def test_missing_package_is_named(
    recording: holotape.Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"pip install holotape\[plot\]"):
        recording.plot()
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"holotape\[arrow\]"):
        recording.to_arrow()
