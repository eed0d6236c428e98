"""Tables of many recordings: scans and datasets give equal rows, and scans read only what is needed."""

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
from conftest import STORED_DATA, TESTDATA, assert_same, example_queries, write_stored_forms
from holotape import _holotape
from holotape._corpus import TABLES, schema
from holotape._filter import And, Compare, IsNull, Not, OneOf, Or, ScanFilter, StartsWith

DOCS = TESTDATA.parent / "docs/corpus.md"


@pytest.mark.parametrize(("title", "sql"), example_queries())
def test_example_queries_agree_on_files_and_dataset(study: Path, dataset: Path, title: str, sql: str) -> None:
    rows = holotape.sql(sql, study).fetchall()
    assert rows, title
    assert_same(holotape.sql(sql, dataset).fetchall(), rows)


def test_documentation_has_twenty_example_queries() -> None:
    assert [int(title.split(".")[0]) for title, _ in example_queries()] == list(range(1, 21))


@pytest.mark.parametrize("table", TABLES)
def test_scan_equals_dataset(study: Path, dataset: Path, table: str) -> None:
    scanned = holotape.connect(study).sql(f"select * from {table}").to_arrow_table()
    built = holotape.connect(dataset).sql(f"select * from {table}").to_arrow_table()
    assert scanned.schema.names == schema(table).names
    assert scanned.num_rows > 0
    if table == "recordings":
        # Compare in one order of rows. pyarrow cannot sort by columns of lists.
        scanned, built = scanned.sort_by("recording"), built.sort_by("recording")
    assert scanned.equals(built)


def test_first_query_of_a_process_uses_the_indexes_of_another(study: Path, tmp_path: Path) -> None:
    shutil.copytree(study, "study")
    for file in Path("study").rglob("*.bin"):
        os.utime(file, (1.7e9, 1.7e9))
    program = """
import holotape
corpus = holotape.Corpus("study")
rows = corpus.scan("frames", columns=["recording", "camera.position.y"]).read_all()
print(rows.num_rows, corpus.scans[-1].counts()[3])
"""

    def rows_and_bytes(cache: str) -> list[int]:
        env = {**os.environ, "HOLOTAPE_CACHE_DIR": cache}
        ended = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True)
        return [int(number) for number in ended.stdout.split()]

    cache = str(tmp_path / "cache")
    (rows, first), (rows_again, again) = rows_and_bytes(cache), rows_and_bytes(cache)
    assert rows_again == rows
    assert again < first / 10
    assert rows_and_bytes("") == [rows, first], "an empty name turns it off"


def test_page_examples_run(study: Path) -> None:
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
    """Returns a connection and its corpus."""
    corpora: list[holotape.Corpus] = []

    class Spy(holotape.Corpus):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            corpora.append(self)

    monkeypatch.setattr(holotape._sql, "Corpus", Spy)
    tables = holotape.connect(study)
    return corpora[0], tables


def test_scan_reads_only_what_a_query_needs(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus, tables = corpus_and_tables(study, monkeypatch)

    def counts(query: str) -> tuple[int, int, int, int]:
        tables.execute(query).fetchall()
        return corpus.scans[-1].counts()

    total = len(corpus.recordings)
    assert counts("select count(*) from frames")[:3] == (total, 1, 0)
    assert counts('select avg("camera.position.y") from frames')[2] == 3 * (total - 1)
    assert counts('select max("left.tracked") from frames where time < 1')[2] == total - 2
    assert counts("select recording, duration_secs, file_bytes from recordings")[3] == 0
    # Filters on recordings, hands and times are pushed down.
    assert counts('select sum("gaze.direction.x") from frames where recording = \'p01/take0.bin\'')[0] == 1
    assert counts("select * from frames where recording >= 'p02/' and recording < 'p020' and time between 1 and 2")[0] == 3
    assert counts("select * from events where recording in ('p01/take0.bin', 'missing')")[0] == 1
    assert counts("select count(*) from frames where recording is null")[0] == 0
    everything = counts("select count(*) from keys where recording = 'p01/take0.bin'")[2]
    assert counts("select count(*) from keys where recording = 'p01/take0.bin' and hand = 'left'")[2] < everything


def test_indexed_files_are_read_partially(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    "time <= 0.25 and recording <> 'p01/take0.bin'",
    "time = 1.0",
    "time between 0.5 and 1 and recording like 'p02/%'",
    "recording in ('p01/take0.bin', 'p03/take1.bin') and time < 1",
    "not (recording = 'p01/take0.bin' or recording > 'p02')",
    "(recording = 'p01/take0.bin' and time < 1) or (recording = 'p01/take1.bin' and time > 6.5)",
    "time < 'nan'::double and time > 6.9",
    "time > 'nan'::double",
    "time >= '-infinity'::double and time < 0.1",
    "recording is null or time is null",
    "\"left.tracked\" and \"left.Palm.position.y\" > 1.2",
]


@pytest.mark.parametrize("predicate", PREDICATES)
@pytest.mark.parametrize("has_source", [True, False], ids=["scan source", "pyarrow dataset"])
def test_pushed_down_predicates_select_the_same_rows(
    study: Path, predicate: str, has_source: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not has_source:
        monkeypatch.setattr(holotape._sql, "_source", lambda *_: None)
    tables = holotape.connect(study, rate=20)
    columns = 'time, "left.Palm.position.y"'
    tables.execute('create temp table copied as select recording, time, "left.Palm.position.y", "left.tracked" from frames')
    selected = tables.sql(f"select {columns} from frames where {predicate} order by all").fetchall()
    assert selected == tables.sql(f"select {columns} from copied where {predicate} order by all").fetchall()


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
def test_pushed_down_hand_predicates_select_the_same_rows(study: Path, table: str, predicate: str) -> None:
    time = {"events": "start_secs", "keys": "time"}[table]
    tables = holotape.connect(study / "p01")
    tables.execute(f"create temp table copied as select * from {table}")
    where = predicate.replace("TIME", time)
    selected = tables.sql(f"select * from {table} where {where} order by all").fetchall()
    assert selected == tables.sql(f"select * from copied where {where} order by all").fetchall()
    assert len(selected) > 0


def test_filter_accepts_supported_predicates_only() -> None:
    scan_filter = ScanFilter("frames")
    assert not scan_filter.push_down(Compare("hand", "=", "left")), "the table has no such column"
    assert not scan_filter.push_down(Or((Compare("time", "<", 1.0), Compare("time", ">", 2.0))))
    assert not scan_filter.push_down(And((Compare("time", "<", 1.0), Compare("left.tracked", "=", True))))
    assert (scan_filter.start, scan_filter.end) == (None, None), "rejected predicates have no effect"
    assert scan_filter.push_down(And((Compare("time", ">", 1.0), Compare("time", "<=", 4.0))))
    assert scan_filter.push_down(Compare("time", ">=", 1.0))
    assert (scan_filter.start, scan_filter.end) == ((1.0, False), (4.0, True))
    assert scan_filter.push_down(Compare("time", "<", 4.0))
    assert scan_filter.end == (4.0, False)
    assert scan_filter.push_down(Not(StartsWith("recording", "p01/")))
    assert scan_filter.push_down(Not(OneOf("recording", ("b",))))
    assert scan_filter.push_down(Not(IsNull("recording")))
    assert [name for name, _ in scan_filter.select_recordings([("p01/a", 1), ("a", 2), ("b", 3)])] == ["a"]


def test_unknown_results_do_not_match() -> None:
    """As in SQL, a row without a hand does not match ``not hand = 'left'``."""
    scan_filter = ScanFilter("events")
    assert scan_filter.push_down(Not(Compare("hand", "=", "left")))
    assert scan_filter.hands == (False, True, False)
    either = ScanFilter("keys")
    assert either.push_down(Or((IsNull("hand"), Not(OneOf("hand", ("left", "right"))))))
    assert either.hands == (False, False, True)
    both = ScanFilter("keys")
    assert both.push_down(Not(And((Compare("hand", "=", "left"), Compare("hand", "=", "right")))))
    assert both.hands == (True, True, False)


def test_nan_is_later_than_any_time() -> None:
    nan = float("nan")
    scan_filter = ScanFilter("frames")
    assert scan_filter.push_down(And((Compare("time", ">=", 1.0), Compare("time", "<", nan))))
    assert scan_filter.push_down(And((Compare("time", ">", nan), Compare("time", "<=", 5.0))))
    assert scan_filter.push_down(Compare("time", ">=", 2.0))
    assert scan_filter.push_down(Compare("time", "<=", nan))
    assert scan_filter.start is not None and scan_filter.start[0] != scan_filter.start[0] and not scan_filter.start[1]
    assert scan_filter.end == (5.0, True)


def test_unreadable_recordings_have_a_row_with_their_error(study: Path, dataset: Path) -> None:
    query = "select recording, error from recordings where error is not null"
    (row,) = holotape.sql(query, study).fetchall()
    assert row[0] == "p04/take2.bin" and "truncated" in row[1]
    assert holotape.sql(query, dataset).fetchall() == [row]
    strict = holotape.connect(study, errors="raise")
    with pytest.raises(duckdb.Error, match=r"take2\.bin.*truncated"):
        strict.execute("select count(*) from events").fetchall()
    assert len(strict.sql("select * from recordings").fetchall()) == 12


def test_dataset_reports_missing_tables_and_other_rates(study: Path, dataset: Path, tmp_path: Path) -> None:
    holotape.build_dataset(study / "p01", tmp_path / "out", rate=10, progress=False)
    tables = holotape.connect(tmp_path / "out")
    assert tables.sql("select count(*) from frames where recording = 'take0.bin'").fetchall() == [(51,)]
    with pytest.raises(duckdb.Error, match="has no table keys"):
        tables.execute("select count(*) from keys").fetchall()
    with pytest.raises(ValueError, match="10 frames per second"):
        holotape.connect(tmp_path / "out", rate=60)
    assert holotape.connect(dataset, rate=60).sql("select count(*) from keys").fetchall()[0][0] > 0


def test_invalid_options_are_rejected(study: Path) -> None:
    with pytest.raises(FileNotFoundError):
        holotape.connect(study / "nowhere")
    with pytest.raises(holotape.InvalidArgumentError, match="rate"):
        holotape.connect(study, rate=0)
    with pytest.raises(ValueError, match="errors must be"):
        holotape.connect(study, errors="fail")  # type: ignore[arg-type]
    with pytest.raises(holotape.InvalidArgumentError, match="column"):
        holotape.Corpus(study).scan("frames", columns=["left.palm"])
    scan = _holotape.Scan([], "events")
    pa.RecordBatchReader.from_stream(scan)
    with pytest.raises(RuntimeError, match="already read"):
        pa.RecordBatchReader.from_stream(scan)


def test_results_convert_to_all_libraries(study: Path) -> None:
    query = "select recording, count(*) as n from events where kind = $kind group by recording order by recording"
    result = holotape.sql(query, [study / "p01", study / "p02"], params={"kind": "pinch"})
    rows = result.fetchall()
    assert rows[0][0].startswith("p01/")
    again = holotape.sql(query, [study / "p01", study / "p02"], params={"kind": "pinch"})
    assert list(again.df()["n"]) == [n for _, n in rows]
    assert holotape.sql("select 1 as one", study).pl()["one"].to_list() == [1]


def test_tables_are_added_to_an_existing_connection(study: Path) -> None:
    mine = duckdb.connect()
    mine.execute("create table people as select 'p01' as folder, 31 as age")
    tables = holotape.connect(study, connection=mine)
    query = "select age, count(*) from recordings join people using (folder) group by age"
    assert tables.sql(query).fetchall() == [(31, 3)]


def test_scans_release_the_interpreter_lock(study: Path) -> None:
    tables = holotape.connect([study] * 2, rate=1000)
    done = threading.Event()
    steps = 0

    def count() -> None:
        nonlocal steps
        while not done.is_set():
            steps += 1
            time.sleep(0)

    def steps_of_query() -> int:
        before = steps
        tables.execute("select sum(columns(* exclude (recording))::double) from frames").fetchall()
        return steps - before

    other = threading.Thread(target=count)
    interval = sys.getswitchinterval()
    # From here on, the other thread runs only while this one releases the lock.
    sys.setswitchinterval(1e6)
    try:
        other.start()
        # On a busy machine, the other thread may not be scheduled during a query.
        assert any(steps_of_query() > 100 for _ in range(50))
    finally:
        sys.setswitchinterval(interval)
        done.set()
        other.join()


def test_build_reports_progress_and_can_be_cancelled(study: Path, tmp_path: Path) -> None:
    reported: list[tuple[int, int]] = []
    _holotape.build_dataset([study], tmp_path / "out", 60, False, False, 1, lambda done, total: reported.append((done, total)))
    assert sorted(reported) == [(n, 12) for n in range(1, 13)]
    assert len(pq.ParquetDataset(tmp_path / "out/frames").read(["recording"])) > 0

    def stop(done: int, _: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _holotape.build_dataset([study], tmp_path / "other", 60, False, False, 1, stop)
    assert not (tmp_path / "other/dataset.json").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals to send")
def test_ctrl_c_cancels_a_build(study: Path, tmp_path: Path) -> None:
    # Python handles signals in its main thread, not in those that build.
    program = """
import os, signal, sys, threading
from holotape import _holotape
reported, handled = [], threading.Event()
def handle(number, frame):
    handled.set()
    raise KeyboardInterrupt
def interrupt(done, total):
    reported.append(done)
    os.kill(os.getpid(), signal.SIGINT)
    assert handled.wait(60)
signal.signal(signal.SIGINT, handle)
# The handler ends before another thread runs.
sys.setswitchinterval(1e6)
try:
    _holotape.build_dataset([sys.argv[1]], sys.argv[2], 60, False, False, 1, interrupt)
except KeyboardInterrupt:
    print("interrupted", reported)
"""
    args = [sys.executable, "-c", program, str(study), str(tmp_path / "out")]
    ended = subprocess.run(args, capture_output=True, text=True, timeout=300, check=True)
    assert ended.stdout == "interrupted [1]\n"
    assert not (tmp_path / "out/dataset.json").exists()


@pytest.mark.parametrize("table", TABLES)
def test_compressed_files_and_hand_captures_have_the_rows_of_plain_files(table: str) -> None:
    write_stored_forms()
    columns = ", ".join(f'"{column}"' for column in STORED_DATA[table])
    query = f"select split_part(recording, '.', 1), {columns} from {table} order by all"
    rows = holotape.sql(query, "stored").fetchall()
    assert {row[0] for row in rows} == {f"take{n}" for n in range(4)}
    assert_same(rows, holotape.sql(query, "plain").fetchall())


def test_dataset_names_compressed_files_and_their_formats() -> None:
    write_stored_forms()
    assert holotape.build_dataset("stored", "dataset")["recording_count"] == 4
    names = holotape.sql("select recording, file_format from recordings order by all", "dataset").fetchall()
    compressed = [("take0.bin", "bin"), ("take1.bin.gz", "bin"), ("take2.bin.zst", "bin")]
    assert names == [*compressed, ("take3.handsbin", "handsbin")]
