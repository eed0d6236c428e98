"""Reads a LeRobot dataset with pandas, Hugging Face's datasets and Rerun.

The arguments are its folder and a folder for temporary files. Prints what each reader returns.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd


def by_pandas(folder: Path) -> dict[str, object]:
    tasks = pd.read_parquet(folder / "meta/tasks.parquet")
    frames = pd.read_parquet(folder / "data")
    state, action = (np.stack(list(frames[name])) for name in ("observation.state", "action"))
    episode = frames["episode_index"].to_numpy()
    is_last = np.append(episode[1:] != episode[:-1], True)
    following = np.where(is_last, np.arange(len(frames)), np.arange(len(frames)) + 1)
    return {
        "index": tasks.index.name,
        "tasks": {text: int(number) for text, number in tasks["task_index"].items()},
        "lengths": frames.groupby("episode_index").size().tolist(),
        "action_is_next_state": bool((action == state[following]).all()),
        "task_of_frames": frames["task_index"].tolist(),
        "wrist_x": [float(value) for value in state[:, 0]],
    }


def by_datasets(folder: Path, temporary: Path) -> dict[str, object]:
    os.environ["HF_HOME"] = str(temporary / "huggingface")
    os.environ["HF_HUB_OFFLINE"] = "1"
    import datasets

    # The features that LeRobot makes from meta/info.json.
    info = json.loads((folder / "meta/info.json").read_text(encoding="utf-8"))
    features = datasets.Features({name: feature_of(datasets, feature) for name, feature in info["features"].items()})
    files = sorted(str(path) for path in (folder / "data").glob("*/*.parquet"))
    frames = datasets.Dataset.from_parquet(files, features=features, cache_dir=str(temporary / "cache"))
    episodes = datasets.Dataset.from_parquet(
        sorted(str(path) for path in (folder / "meta/episodes").glob("*/*.parquet")), cache_dir=str(temporary / "cache")
    )
    return {
        "rows": frames.num_rows,
        "columns": frames.column_names == list(info["features"]),
        "tasks": episodes["tasks"][:],
        "lengths": episodes["length"][:],
        "head": frames[5]["observation.head"],
    }


def feature_of(datasets: object, feature: dict[str, object]) -> object:
    value = datasets.Value(feature["dtype"])
    (width,) = feature["shape"]
    return value if width == 1 else datasets.Sequence(value, length=width)


def by_rerun(folder: Path, temporary: Path) -> dict[str, object]:
    from rerun.chunk import RrdReader

    out = temporary / "out.rrd"
    program = [Path(sys.executable).with_name("rerun"), folder, "--save", out, "--port", "auto"]
    # In a first session, which this is in a new home folder, Rerun sends no usage data.
    environment = {**os.environ, "HOME": str(temporary), "NO_COLOR": "1"}
    run = subprocess.run(program, check=True, capture_output=True, text=True, env=environment)
    reader = RrdReader(out)
    episodes: dict[str, dict[str, int]] = {}
    for recording in reader.recordings():
        rows = episodes.setdefault(recording.recording_id, {})
        for chunk in reader.stream(store=recording):
            if not chunk.is_static:
                name = str(chunk.entity_path).lstrip("/")
                rows[name] = rows.get(name, 0) + chunk.num_rows
    warnings = [line for line in run.stderr.splitlines() if " WARN " in line or " ERROR " in line]
    return {"episodes": episodes, "warnings": warnings}


def main(folder: str, temporary: str) -> None:
    source, scratch = Path(folder), Path(temporary)
    result = {
        "pandas": by_pandas(source),
        "datasets": by_datasets(source, scratch),
        "rerun": by_rerun(source, scratch),
    }
    print(json.dumps(result))


main(*sys.argv[1:])
