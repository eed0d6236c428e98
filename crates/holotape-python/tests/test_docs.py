"""Runs the examples of the documentation."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import holotape
import matplotlib as mpl
import nbformat
import pytest
from nbclient import NotebookClient

DOCS = Path(__file__).parents[3] / "docs"
MODULES = ["holotape", *(f"holotape.{module.name}" for module in pkgutil.iter_modules(holotape.__path__))]

mpl.use("Agg")


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples_run(name: str) -> None:
    module = importlib.import_module(name)
    result = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert result.failed == 0


def test_public_items_have_docstrings() -> None:
    for name in holotape.__all__:
        item = getattr(holotape, name)
        if inspect.isclass(item) or inspect.isfunction(item):
            assert item.__doc__, name
        if inspect.isclass(item):
            public = [member for member in vars(item) if not member.startswith("_")]
            functions = [member for member in public if callable(getattr(item, member))]
            assert all(getattr(item, member).__doc__ for member in functions), name


PAGES = [
    ("python.md", 9),
    ("../README.md", 1),
    ("guides/analyse-a-study.md", 3),
    ("guides/openxr.md", 1),
    ("guides/record-hands.md", 1),
    ("guides/robots.md", 1),
]


@pytest.mark.filterwarnings("ignore::holotape.LossWarning")
@pytest.mark.parametrize(("name", "min_blocks"), PAGES)
def test_python_blocks_of_documentation_run(name: str, min_blocks: int) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / name).read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) >= min_blocks
    for seed in range(3):
        holotape.demo(seconds=4, seed=seed).save(f"take{seed}.bin")
    holotape.demo(seconds=4).save("take.bin")
    Path("study/p01").mkdir(parents=True)
    holotape.demo(seconds=4).save("study/p01/a.bin")
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, name, "exec"), names)


def test_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Notebooks use their own backend.
    monkeypatch.delenv("MPLBACKEND", raising=False)
    notebook = nbformat.read(DOCS / "python.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "the notebook is stored without outputs"
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("image/png" in output.get("data", {}) for output in outputs)
    assert any("text/html" in output.get("data", {}) for output in outputs)
