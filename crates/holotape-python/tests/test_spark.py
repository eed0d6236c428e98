"""The Spark data source, on a local cluster of a master and two workers."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import holotape
import holotape.spark
import pyspark
import pytest
from conftest import STORED_DATA, assert_same, example_queries, write_stored_forms
from holotape._corpus import TABLES, schema
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

# Spark warns about new versions of pandas, and does not close its sockets.
pytestmark = pytest.mark.filterwarnings("default")

ENVIRONMENT = {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}

# Processes that run for a minute start faster without the optimizing compiler.
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"

SPARK_CLASS = Path(pyspark.__file__).parent / "bin/spark-class"


@contextmanager
def running(log: Path, name: str, *args: str) -> Iterator[None]:
    """Runs a process of the cluster, and always ends it."""
    with log.open("wb") as out:
        process = subprocess.Popen(
            [SPARK_CLASS, f"org.apache.spark.deploy.{name}", "--host", "127.0.0.1", "--webui-port", "0", *args],
            stdout=out,
            stderr=out,
            env={**os.environ, **ENVIRONMENT, "SPARK_DAEMON_JAVA_OPTS": JAVA, "SPARK_DAEMON_MEMORY": "256m"},
            start_new_session=True,
        )
    try:
        yield
    finally:
        # A worker starts further processes in its group.
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def wait_for_log(log: Path, pattern: str) -> str:
    """Waits until the log of a process matches a pattern."""
    for _ in range(6000):
        found = re.search(pattern, log.read_text(errors="replace"))
        if found:
            return found[0]
        time.sleep(0.1)
    raise AssertionError(log.read_text(errors="replace"))


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    folder = tmp_path_factory.mktemp("spark")
    with ExitStack() as stack:
        stack.enter_context(running(folder / "master.log", "master.Master", "--port", "0"))
        master = wait_for_log(folder / "master.log", r"spark://127\.0\.0\.1:\d+")
        for name in ("one", "two"):
            args = ["--cores", "1", "--memory", "1g", "--work-dir", str(folder / name), master]
            stack.enter_context(running(folder / f"{name}.log", "worker.Worker", *args))
        for name in ("one", "two"):
            wait_for_log(folder / f"{name}.log", "Successfully registered with master")
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        for variable, value in ENVIRONMENT.items():
            patch.setenv(variable, value)
        settings = {
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.ui.enabled": "false",
            "spark.cores.max": "2",
            "spark.executor.cores": "1",
            "spark.executor.memory": "512m",
            "spark.executor.extraJavaOptions": JAVA,
            "spark.driver.extraJavaOptions": JAVA,
            "spark.ui.showConsoleProgress": "false",
            # Jobs start once both workers are registered.
            "spark.scheduler.minRegisteredResourcesRatio": "1.0",
            "spark.scheduler.maxRegisteredResourcesWaitingTime": "60s",
            "spark.sql.shuffle.partitions": "2",
            "spark.sql.ansi.doubleQuotedIdentifiers": "true",
            "spark.sql.python.filterPushdown.enabled": "true",
            "spark.sql.warehouse.dir": str(folder / "warehouse"),
        }
        builder = SparkSession.builder.master(master).appName("holotape")
        for key, value in settings.items():
            builder = builder.config(key, value)
        session = builder.getOrCreate()
        stack.callback(session.stop)
        session.sparkContext.setLogLevel("ERROR")
        session.dataSource.register(holotape.spark.HolotapeDataSource)
        yield session


@pytest.fixture(scope="module")
def tables(spark: SparkSession, study: Path) -> SparkSession:
    """The four tables of the study, as views."""
    holotape.spark.register(spark, study, errors="skip", partitionBytes=4_000_000)
    return spark


def load(spark: SparkSession, path: Path, **options: object) -> Any:
    return spark.read.format("holotape").options(**{name: str(value) for name, value in options.items()}).load(str(path))


def test_both_workers_read_recordings(spark: SparkSession, study: Path) -> None:
    frames = load(spark, study, table="frames", columns="recording,time", errors="skip", partitionBytes=1)

    def worker(rows: Any) -> Any:
        # Each worker has its own folder.
        yield Path.cwd().parents[1].name, len({row.recording for row in rows})

    read = frames.rdd.mapPartitions(worker).collect()
    assert {name for name, _ in read} == {"one", "two"}
    assert sorted(count for _, count in read) == [0, *[1] * 11], "each recording is a partition; the truncated one has no rows"


@pytest.mark.parametrize("table", TABLES)
def test_columns_match_the_tables(spark: SparkSession, study: Path, table: str) -> None:
    assert load(spark, study, table=table).schema == from_arrow_schema(schema(table))


@pytest.mark.parametrize(("title", "sql"), example_queries())
def test_example_queries_agree_with_duckdb(
    tables: SparkSession, dataset: Path, title: str, sql: str
) -> None:
    rows = [tuple(row) for row in tables.sql(sql).collect()]
    assert_same(rows, holotape.sql(sql, dataset).fetchall())


def test_filters_and_columns_are_pushed_down(spark: SparkSession, study: Path) -> None:
    options: dict[str, object] = {"errors": "skip", "pushdown": "true", "partitionBytes": 1}
    frames = load(spark, study, table="frames", columns="recording,time,camera.position.y", **options)
    some = frames.where("recording like 'p01/%' and time >= 1 and time < 2")
    assert some.rdd.getNumPartitions() == 3
    assert some.count() == 3 * 60
    assert frames.where("recording = 'p01/take0.bin' and time < 0.5 or recording = 'p02/take0.bin' and time < 0.5").count() == 60
    events = load(spark, study / "p01", table="events", pushdown="true")
    expected = holotape.sql("select count(*) from events where hand = 'left'", study / "p01").fetchall()
    assert [(events.where("hand = 'left'").count(),)] == expected
    assert events.where("hand <> 'left' or hand is null").count() + expected[0][0] == events.count()


def test_pushed_down_filters_select_the_same_rows(spark: SparkSession, study: Path) -> None:
    for table, time in (("events", "start_secs"), ("keys", "time")):
        pushed = load(spark, study / "p01", table=table, pushdown="true", columns=f"recording,hand,{time}")
        plain = load(spark, study / "p01", table=table, columns=f"recording,hand,{time}")
        wheres = [f"{time} > 2", f"{time} <= 1.5 and hand is not null", "hand in ('left', 'right')", "not hand = 'left'"]
        expected = plain.selectExpr(*(f"count(*) filter (where {where})" for where in wheres)).collect()[0]
        assert all(count > 0 for count in expected)
        assert [pushed.where(where).count() for where in wheres] == list(expected)


@pytest.mark.parametrize("table", TABLES)
def test_compressed_files_and_hand_captures_have_the_rows_of_plain_files(spark: SparkSession, table: str) -> None:
    write_stored_forms()
    columns = [f"`{column}`" for column in STORED_DATA[table]]

    def rows(folder: str) -> list[Any]:
        names = ",".join(["recording", *STORED_DATA[table]])
        read = load(spark, Path(folder).absolute(), table=table, columns=names, partitionBytes=1)
        assert read.rdd.getNumPartitions() == 4, "each file is a partition"
        return read.selectExpr("split_part(recording, '.', 1) as name", *columns).orderBy("name", *columns).collect()

    stored = rows("stored")
    assert {row.name for row in stored} == {f"take{n}" for n in range(4)}
    assert_same(stored, rows("plain"))


def test_small_recordings_share_a_partition(spark: SparkSession, study: Path) -> None:
    sizes = {path.name: path.stat().st_size for path in (study / "p01").iterdir()}
    one = load(spark, study / "p01", table="events", partitionBytes=sum(sizes.values()))
    assert one.rdd.getNumPartitions() == 1
    two = load(spark, study / "p01", table="events", partitionBytes=sizes["take0.bin"] + sizes["take1.bin"])
    assert two.rdd.getNumPartitions() == 2


def test_unreadable_recordings_fail_a_query_by_default(spark: SparkSession, study: Path) -> None:
    with pytest.raises(Exception, match=r"take2\.bin.*truncated"):
        load(spark, study, table="events").count()
    broken = load(spark, study, columns="recording,error").where("error is not null").collect()
    assert [row.recording for row in broken] == ["p04/take2.bin"]


def test_dataset_gives_the_same_counts(spark: SparkSession, study: Path, dataset: Path) -> None:
    try:
        holotape.spark.register(spark, dataset)
        for table in TABLES:
            counted = spark.sql(f"select count(*) from {table}").collect()
            assert tuple(counted[0]) == holotape.sql(f"select count(*) from {table}", dataset).fetchall()[0]
    finally:
        holotape.spark.register(spark, study, errors="skip", partitionBytes=4_000_000)
    with pytest.raises(Exception, match=r"is a dataset"):
        load(spark, dataset, table="events").count()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"table": "takes"}, "unknown table"),
        ({"table": "frames", "columns": "recording,palm"}, "unknown column of table frames: 'palm'"),
        ({"rate": "fast"}, "rate must be a number"),
        ({"partitionBytes": 0}, "greater than 0"),
        ({"errors": "ignore"}, "errors must be"),
        ({"pushdown": "maybe"}, "true or false"),
    ],
)
def test_invalid_options_are_rejected(
    spark: SparkSession, study: Path, options: dict[str, object], message: str
) -> None:
    with pytest.raises(Exception, match=message):
        load(spark, study, **options).count()


