"""Pictures with matplotlib."""

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


def test_an_overview_has_head_palms_and_bands(take: holotape.Recording) -> None:
    figure = take.plot(title="Reaching")
    head, palms, bands = figure.axes
    assert figure.get_suptitle() == "Reaching"
    assert [line.get_label() for line in head.lines[:3]] == ["x", "y", "z"]
    assert [line.get_label() for line in palms.lines[:2]] == ["left", "right"]
    assert len(bands.collections) == 4
    assert len(bands.lines) == len(take.markers)
    figure.savefig("overview.png")


def test_bands_are_the_spans_of_the_flags(take: holotape.Recording) -> None:
    axes = take.plot_timeline()
    tracked = axes.collections[2].get_paths()
    assert len(tracked) == len(take.right["tracked"].spans())
    assert axes.get_xlim() == (0, 12)
    other = plt.subplots()[1]
    assert take.plot_timeline(other) is other


def test_hands_are_skeletons(take: holotape.Recording) -> None:
    axes = take.plot_hands(1.0)
    assert len(axes.lines) == 2 * 25
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["left", "right"]
    # The right hand is away.
    assert len(take.plot_hands(7.0).lines) == 25


@pytest.mark.parametrize("name", [name for name, _, _ in valid_pairs()])
def test_every_recording_can_be_drawn(name: str) -> None:
    take = holotape.open(TESTDATA / f"valid/{name}.bin")
    take.plot().canvas.draw()
    take.plot_hands(0.5).figure.canvas.draw()


def test_without_matplotlib_it_says_what_to_install(
    take: holotape.Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"pip install holotape\[plot\]"):
        take.plot()
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"holotape\[arrow\]"):
        take.to_arrow()
