"""Many recordings as tables: the same rows wherever they are asked for, and no more read than that takes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import duckdb
import holotape
import holotape._sql
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import TESTDATA, assert_same, questions
from holotape import _holotape
from holotape._corpus import TABLES, schema
from holotape._predicate import All, Any_, Compare, IsNull, Not, OneOf, StartsWith, Wish

DOCS = TESTDATA.parent / "docs/corpus.md"


@pytest.mark.parametrize(("question", "sql"), questions())
def test_questions_have_one_answer(study: Path, dataset: Path, question: str, sql: str) -> None:
    rows = holotape.sql(sql, study).fetchall()
    assert rows, question
    assert_same(holotape.sql(sql, dataset).fetchall(), rows)


def test_there_are_twenty_questions() -> None:
    assert [int(question.split(".")[0]) for question, _ in questions()] == list(range(1, 21))


@pytest.mark.parametrize("table", TABLES)
def test_every_row_is_the_same_here_and_there(study: Path, dataset: Path, table: str) -> None:
    scanned = holotape.connect(study).sql(f"select * from {table}").to_arrow_table()
    built = holotape.connect(dataset).sql(f"select * from {table}").to_arrow_table()
    assert scanned.schema.names == schema(table).names
    assert scanned.num_rows > 0
    if table == "recordings":
        # The order of lists of text is that of the rows; pyarrow cannot sort by them.
        scanned, built = scanned.sort_by("take"), built.sort_by("take")
    assert scanned.equals(built)


def test_the_guide_runs(study: Path) -> None:
    shutil.copytree(study, "study")
    blocks = re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) >= 3
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "corpus.md", "exec"), names)


_SQL_TYPES = {
    "varchar": pa.string(),
    "bigint": pa.int64(),
    "integer": pa.int32(),
    "double": pa.float64(),
    "float": pa.float32(),
    "boolean": pa.bool_(),
    "varchar[]": pa.list_(pa.field("item", pa.string(), nullable=False)),
}


@pytest.mark.parametrize("table", TABLES)
def test_columns_are_documented(table: str) -> None:
    section = DOCS.read_text(encoding="utf-8").split(f"\n### {table}\n")[1].split("\n#")[0]
    rows = re.findall(r"^\| `([^`]+)` \| (\S+) \| ?(\S*) ?\|", section, re.MULTILINE)
    documented = {name: (_SQL_TYPES[kind], unit) for names, kind, unit in rows for name in _expanded(names)}
    units = {field.name: (field.metadata or {}).get(b"unit", b"").decode() for field in schema(table)}
    assert documented == {field.name: (field.type, units[field.name]) for field in schema(table)}


def _expanded(names: str) -> list[str]:
    names = names.replace("{JOINT}", "{" + ",".join(holotape.JOINTS) + "}")
    found = re.search(r"\{([^}]*)\}", names)
    if found is None:
        return [names]
    choices = found[1].split(",")
    return [name for choice in choices for name in _expanded(names[: found.start()] + choice + names[found.end() :])]


def corpus_and_tables(study: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[holotape.Corpus, duckdb.DuckDBPyConnection]:
    """A connection, and the corpus behind it."""
    made: list[holotape.Corpus] = []

    class Spy(holotape.Corpus):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            made.append(self)

    monkeypatch.setattr(holotape._sql, "Corpus", Spy)
    tables = holotape.connect(study)
    return made[0], tables


def test_only_what_a_query_needs_is_read(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus, tables = corpus_and_tables(study, monkeypatch)

    def counts(query: str) -> tuple[int, int, int, int]:
        tables.execute(query).fetchall()
        return corpus.scans[-1].counts()

    takes = len(corpus.takes)
    assert counts("select count(*) from frames")[:3] == (takes, 1, 0)
    assert counts('select avg("camera.position.y") from frames')[2] == 3 * (takes - 1)
    assert counts('select max("left.tracked") from frames where time < 1')[2] == takes - 2
    assert counts("select take, duration_secs, bytes from recordings")[3] == 0
    # Of takes, hands and times only those that are asked for.
    assert counts('select sum("gaze.direction.x") from frames where take = \'p01/take0.bin\'')[0] == 1
    assert counts("select * from frames where take >= 'p02/' and take < 'p020' and time between 1 and 2")[0] == 3
    assert counts("select * from events where take in ('p01/take0.bin', 'nobody')")[0] == 1
    assert counts("select count(*) from frames where take is null")[0] == 0
    everything = counts("select count(*) from keys where take = 'p01/take0.bin'")[2]
    assert counts("select count(*) from keys where take = 'p01/take0.bin' and hand = 'left'")[2] < everything


def test_files_that_are_known_are_read_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    holotape.demo(seconds=2).save(tmp_path / "a.bin")
    os.utime(tmp_path / "a.bin", (1e9, 1e9))
    corpus, tables = corpus_and_tables(tmp_path, monkeypatch)
    query = 'select avg("right.Palm.position.y") from frames'
    read = []
    for _ in range(2):
        first = tables.execute(query).fetchall()
        read.append(corpus.scans[-1].counts()[3])
    assert read[0] == (tmp_path / "a.bin").stat().st_size
    assert read[1] < read[0] / 50
    holotape.demo(seconds=3).save(tmp_path / "a.bin")
    assert tables.execute(query).fetchall() != first


PREDICATES = [
    "time >= 0.5 and time < 0.6",
    "time > 1.5",
    "time <= 0.25 and take <> 'p01/take0.bin'",
    "time = 1.0",
    "time between 0.5 and 1 and take like 'p02/%'",
    "take in ('p01/take0.bin', 'p03/take1.bin') and time < 1",
    "not (take = 'p01/take0.bin' or take > 'p02')",
    "(take = 'p01/take0.bin' and time < 1) or (take = 'p01/take1.bin' and time > 6.5)",
    "time < 'nan'::double and time > 6.9",
    "time > 'nan'::double",
    "time >= '-infinity'::double and time < 0.1",
    "take is null or time is null",
    "\"left.tracked\" and \"left.Palm.position.y\" > 1.2",
]


@pytest.mark.parametrize("predicate", PREDICATES)
@pytest.mark.parametrize("known", [True, False], ids=["source", "dataset of pyarrow's"])
def test_predicates_mean_the_same_in_a_scan(
    study: Path, predicate: str, known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not known:
        monkeypatch.setattr(holotape._sql, "_source", lambda *_: None)
    tables = holotape.connect(study, rate=20)
    columns = 'time, "left.Palm.position.y"'
    tables.execute('create temp table copied as select take, time, "left.Palm.position.y", "left.tracked" from frames')
    asked = tables.sql(f"select {columns} from frames where {predicate} order by all").fetchall()
    assert asked == tables.sql(f"select {columns} from copied where {predicate} order by all").fetchall()


HANDS = [
    "hand = 'left'",
    "hand is null",
    "hand <> 'left'",
    "hand is not null and hand <> 'right'",
    "hand in ('left', 'x')",
    "not (hand = 'left')",
    "hand = 'left' or hand is null",
    "hand > 'left'",
    "TIME < 1",
    "TIME >= 3.5 and hand = 'right'",
]


@pytest.mark.parametrize("table", ["events", "keys"])
@pytest.mark.parametrize("predicate", HANDS)
def test_hands_mean_the_same_in_a_scan(study: Path, table: str, predicate: str) -> None:
    time = {"events": "start_secs", "keys": "time"}[table]
    tables = holotape.connect(study / "p01")
    tables.execute(f"create temp table copied as select * from {table}")
    where = predicate.replace("TIME", time)
    asked = tables.sql(f"select * from {table} where {where} order by all").fetchall()
    assert asked == tables.sql(f"select * from copied where {where} order by all").fetchall()
    assert len(asked) > 0


def test_what_a_wish_takes_and_what_it_leaves() -> None:
    wish = Wish("frames")
    assert not wish.add(Compare("hand", "=", "left")), "frames have no such column"
    assert not wish.add(Any_((Compare("time", "<", 1.0), Compare("time", ">", 2.0))))
    assert not wish.add(All((Compare("time", "<", 1.0), Compare("left.tracked", "=", True))))
    assert (wish.start, wish.end) == (None, None), "nothing of what was refused is kept"
    assert wish.add(All((Compare("time", ">", 1.0), Compare("time", "<=", 4.0))))
    assert wish.add(Compare("time", ">=", 1.0))
    assert (wish.start, wish.end) == ((1.0, False), (4.0, True))
    assert wish.add(Compare("time", "<", 4.0))
    assert wish.end == (4.0, False)
    assert wish.add(Not(StartsWith("take", "p01/")))
    assert wish.add(Not(OneOf("take", ("b",))))
    assert wish.add(Not(IsNull("take")))
    assert [take for take, _ in wish.takes([("p01/a", 1), ("a", 2), ("b", 3)])] == ["a"]


def test_what_nobody_can_tell_is_not_so() -> None:
    """As in SQL: of a row without a hand nobody can tell that it is not of the left one."""
    wish = Wish("events")
    assert wish.add(Not(Compare("hand", "=", "left")))
    assert wish.hands == (False, True, False)
    either = Wish("keys")
    assert either.add(Any_((IsNull("hand"), Not(OneOf("hand", ("left", "right"))))))
    assert either.hands == (False, False, True)
    both = Wish("keys")
    assert both.add(Not(All((Compare("hand", "=", "left"), Compare("hand", "=", "right")))))
    assert both.hands == (True, True, False)


def test_nan_is_later_than_any_time() -> None:
    nan = float("nan")
    wish = Wish("frames")
    assert wish.add(All((Compare("time", ">=", 1.0), Compare("time", "<", nan))))
    assert wish.add(All((Compare("time", ">", nan), Compare("time", "<=", 5.0))))
    assert wish.add(Compare("time", ">=", 2.0))
    assert wish.add(Compare("time", "<=", nan))
    assert wish.start is not None and wish.start[0] != wish.start[0] and not wish.start[1]
    assert wish.end == (5.0, True)


def test_broken_takes_are_told_where_they_can_be(study: Path, dataset: Path) -> None:
    query = "select take, error from recordings where error is not null"
    (row,) = holotape.sql(query, study).fetchall()
    assert row[0] == "p04/take2.bin" and "ends too early" in row[1]
    assert holotape.sql(query, dataset).fetchall() == [row]
    strict = holotape.connect(study, errors="fail")
    with pytest.raises(duckdb.Error, match=r"take2\.bin.*ends too early"):
        strict.execute("select count(*) from events").fetchall()
    assert len(strict.sql("select * from recordings").fetchall()) == 12


def test_a_dataset_says_what_it_lacks(study: Path, dataset: Path, tmp_path: Path) -> None:
    holotape.build_dataset(study / "p01", tmp_path / "out", rate=10, progress=False)
    tables = holotape.connect(tmp_path / "out")
    assert tables.sql("select count(*) from frames where take = 'take0.bin'").fetchall() == [(51,)]
    with pytest.raises(duckdb.Error, match="built without the table keys"):
        tables.execute("select count(*) from keys").fetchall()
    with pytest.raises(ValueError, match="10 frames a second"):
        holotape.connect(tmp_path / "out", rate=60)
    assert holotape.connect(dataset, rate=60).sql("select count(*) from keys").fetchall()[0][0] > 0


def test_what_makes_no_sense_is_told_at_once(study: Path) -> None:
    with pytest.raises(FileNotFoundError):
        holotape.connect(study / "nowhere")
    with pytest.raises(holotape.InvalidError, match="no rate"):
        holotape.connect(study, rate=0)
    with pytest.raises(holotape.InvalidError, match="skip"):
        holotape.connect(study, errors="raise")  # type: ignore[arg-type]
    with pytest.raises(holotape.InvalidError, match="no column"):
        holotape.Corpus(study).scan("frames", columns=["left.palm"])
    scan = _holotape.Scan([], "events")
    pa.RecordBatchReader.from_stream(scan)
    with pytest.raises(RuntimeError, match="once"):
        pa.RecordBatchReader.from_stream(scan)


def test_a_result_can_be_had_in_every_form(study: Path) -> None:
    query = "select take, count(*) as n from events where kind = $kind group by take order by take"
    answer = holotape.sql(query, [study / "p01", study / "p02"], params={"kind": "pinch"})
    rows = answer.fetchall()
    assert rows[0][0].startswith("p01/")
    again = holotape.sql(query, [study / "p01", study / "p02"], params={"kind": "pinch"})
    assert list(again.df()["n"]) == [n for _, n in rows]
    assert holotape.sql("select 1 as one", study).pl()["one"].to_list() == [1]


def test_a_connection_may_be_there_already(study: Path) -> None:
    mine = duckdb.connect()
    mine.execute("create table people as select 'p01' as folder, 31 as age")
    tables = holotape.connect(study, connection=mine)
    query = "select age, count(*) from recordings join people using (folder) group by age"
    assert tables.sql(query).fetchall() == [(31, 3)]


def test_python_runs_while_recordings_are_read(study: Path) -> None:
    """A thread of Python goes on while another waits for a scan."""
    tables = holotape.connect([study] * 2, rate=1000)
    done = threading.Event()
    steps: list[float] = []

    def count() -> None:
        while not done.is_set():
            steps.append(time.perf_counter())
            time.sleep(0)

    other = threading.Thread(target=count)
    other.start()
    start = time.perf_counter()
    tables.execute("select sum(columns(* exclude (take))::double) from frames").fetchall()
    end = time.perf_counter()
    done.set()
    other.join()
    middle = [step for step in steps if start + (end - start) / 4 < step < end - (end - start) / 4]
    assert len(middle) > 100, "half of the time of a query, and nobody else had a turn"


def test_datasets_tell_how_far_they_are(study: Path, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    _holotape.build_dataset([study], tmp_path / "out", 60, False, False, 1, lambda done, total: told.append((done, total)))
    assert sorted(told) == [(n, 12) for n in range(1, 13)]
    assert len(pq.ParquetDataset(tmp_path / "out/frames").read(["take"])) > 0

    def stop(done: int, _: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _holotape.build_dataset([study], tmp_path / "other", 60, False, False, 1, stop)
    assert not (tmp_path / "other/dataset.json").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals to send")
def test_ctrl_c_ends_a_build(study: Path, tmp_path: Path) -> None:
    # The signal is heard by the thread that Python began with, and not by those that build.
    program = """
import os, signal, sys, time
from holotape import _holotape
def interrupt(done, total):
    if done == 1:
        os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.3)
try:
    _holotape.build_dataset([sys.argv[1]], sys.argv[2], 60, False, False, 1, interrupt)
except KeyboardInterrupt:
    print("interrupted")
"""
    args = [sys.executable, "-c", program, str(study), str(tmp_path / "out")]
    ended = subprocess.run(args, capture_output=True, text=True, timeout=60, check=True)
    assert ended.stdout == "interrupted\n"
    assert not (tmp_path / "out/dataset.json").exists()
