"""Tables of one recording."""

from __future__ import annotations

import duckdb
import holotape
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import TESTDATA


@pytest.mark.parametrize("table", ["frames", "keys"])
def test_arrow_table_equals_parquet(recording: holotape.Recording, table: str) -> None:
    recording.save("take.parquet", table=table)
    written = pq.read_table("take.parquet")
    arrow = recording.to_arrow(table)
    assert arrow.column_names == written.column_names
    assert arrow.schema.metadata == {
        name: value for name, value in written.schema.metadata.items() if name.startswith(b"holotape.")
    }
    for name in arrow.column_names:
        assert arrow[name].type == written[name].type
        # Dictionary codes of curve names may differ.
        plain = pa.string() if pa.types.is_dictionary(arrow[name].type) else arrow[name].type
        assert arrow[name].cast(plain).equals(written[name].cast(plain)), name


def test_libraries_read_equal_values(recording: holotape.Recording) -> None:
    table = recording.table("frames", rate=30)
    arrow, pandas, polars = table.to_arrow(), table.to_pandas(), table.to_polars()
    assert isinstance(pandas, pd.DataFrame)
    assert isinstance(polars, pl.DataFrame)
    name = "right.Palm.position.y"
    expected = recording.sample(rate=30).right.joints[:, holotape.Joint.Palm, 1]
    np.testing.assert_array_equal(arrow[name].to_pandas().to_numpy(), expected)
    np.testing.assert_array_equal(pandas[name].to_numpy(), expected)
    np.testing.assert_array_equal(polars[name].fill_null(float("nan")).to_numpy(), expected)
    counted = duckdb.from_arrow(arrow).aggregate(f'count("{name}")').fetchall()
    assert counted == [(int(np.isfinite(expected).sum()),)]


def test_table_can_be_read_repeatedly(recording: holotape.Recording) -> None:
    table = recording.table()
    assert pa.table(table).equals(pa.table(table))
    assert len(table) == len(recording)
    assert table.columns == pa.table(table).column_names
    assert repr(table) == "<Table: 721 rows, 396 columns>"


def test_table_outlives_its_recording() -> None:
    reader = pa.RecordBatchReader.from_stream(holotape.demo(seconds=1).table())
    assert reader.read_all().num_rows == 61


def test_long_table_has_several_batches() -> None:
    table = holotape.demo(seconds=1).table(rate=20_000)
    batches = list(pa.RecordBatchReader.from_stream(table))
    assert len(batches) > 1
    assert sum(batch.num_rows for batch in batches) == len(table) == 20_001


def test_keys_round_trip_bit_for_bit() -> None:
    for name in ("mrtk28_all", "curves_every_rule", "mrtk25_simulated"):
        recording = holotape.open(TESTDATA / f"valid/{name}.bin")
        assert holotape.from_table(recording.to_arrow("keys")) == recording
        assert holotape.from_table(recording.table("keys")) == recording
        assert holotape.from_table(recording.to_polars("keys")).markers == recording.markers


def test_frames_round_trip_through_pandas(recording: holotape.Recording) -> None:
    frames = recording.to_pandas()
    frames["camera.position.y"] += 0.25
    higher = holotape.from_table(frames[[name for name in frames.columns if not name.startswith("left")]])
    assert len(higher["left.Palm.position.x"]) == 0
    np.testing.assert_allclose(
        higher["camera.position.y"](recording.frame_times), recording["camera.position.y"](recording.frame_times) + 0.25, rtol=1e-5
    )


def test_invalid_tables_are_rejected() -> None:
    with pytest.raises(holotape.InvalidError, match="not a table"):
        holotape.from_table(12)
    with pytest.raises(holotape.InvalidError):
        holotape.from_table(pa.table({"a": [1]}))


def test_right_handed_space_negates_z(recording: holotape.Recording) -> None:
    unity, other = recording.to_arrow(rate=10), recording.to_arrow(rate=10, space="right-handed")
    z = "camera.position.z"
    np.testing.assert_array_equal(unity[z].to_numpy(), -other[z].to_numpy())


def test_options_without_effect_are_rejected(recording: holotape.Recording) -> None:
    with pytest.raises(TypeError, match="rate has no effect"):
        recording.table("keys", rate=30)
    with pytest.raises(ValueError, match='"frames" or "keys"'):
        recording.table("rows")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="space must be"):
        recording.table(space="blender")  # type: ignore[typeddict-item]
    with pytest.raises(TypeError):
        recording.table(speed=2)  # type: ignore[call-arg]
