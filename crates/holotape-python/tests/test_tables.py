"""Tables are those of the Parquet export, whoever reads them."""

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
def test_arrow_is_what_parquet_holds(take: holotape.Recording, table: str) -> None:
    take.save("take.parquet", table=table)
    written = pq.read_table("take.parquet")
    arrow = take.to_arrow(table)
    assert arrow.column_names == written.column_names
    assert arrow.schema.metadata == {
        name: value for name, value in written.schema.metadata.items() if name.startswith(b"holotape.")
    }
    for name in arrow.column_names:
        assert arrow[name].type == written[name].type
        # Programs number the names of curves each in its own way.
        plain = pa.string() if pa.types.is_dictionary(arrow[name].type) else arrow[name].type
        assert arrow[name].cast(plain).equals(written[name].cast(plain)), name


def test_everybody_sees_the_same(take: holotape.Recording) -> None:
    table = take.table("frames", rate=30)
    arrow, pandas, polars = table.to_arrow(), table.to_pandas(), table.to_polars()
    assert isinstance(pandas, pd.DataFrame)
    assert isinstance(polars, pl.DataFrame)
    name = "right.Palm.position.y"
    expected = take.sample(rate=30).right.joints[:, holotape.Joint.Palm, 1]
    np.testing.assert_array_equal(arrow[name].to_pandas().to_numpy(), expected)
    np.testing.assert_array_equal(pandas[name].to_numpy(), expected)
    np.testing.assert_array_equal(polars[name].fill_null(float("nan")).to_numpy(), expected)
    seen = duckdb.from_arrow(arrow).aggregate(f'count("{name}")').fetchall()
    assert seen == [(int(np.isfinite(expected).sum()),)]


def test_a_table_can_be_read_again(take: holotape.Recording) -> None:
    table = take.table()
    assert pa.table(table).equals(pa.table(table))
    assert len(table) == len(take)
    assert table.columns == pa.table(table).column_names
    assert repr(table) == "<Table: 721 rows, 396 columns>"


def test_a_table_outlives_its_recording() -> None:
    reader = pa.RecordBatchReader.from_stream(holotape.demo(seconds=1).table())
    assert reader.read_all().num_rows == 61


def test_long_tables_come_in_batches() -> None:
    table = holotape.demo(seconds=1).table(rate=20_000)
    batches = list(pa.RecordBatchReader.from_stream(table))
    assert len(batches) > 1
    assert sum(batch.num_rows for batch in batches) == len(table) == 20_001


def test_keys_come_back_bit_for_bit() -> None:
    for name in ("mrtk28_all", "curves_every_rule", "mrtk25_simulated"):
        take = holotape.open(TESTDATA / f"valid/{name}.bin")
        assert holotape.from_table(take.to_arrow("keys")) == take
        assert holotape.from_table(take.table("keys")) == take
        assert holotape.from_table(take.to_polars("keys")).markers == take.markers


def test_frames_come_back_from_pandas(take: holotape.Recording) -> None:
    frames = take.to_pandas()
    frames["camera.position.y"] += 0.25
    higher = holotape.from_table(frames[[name for name in frames.columns if not name.startswith("left")]])
    assert len(higher["left.Palm.position.x"]) == 0
    np.testing.assert_allclose(
        higher["camera.position.y"](take.frame_times), take["camera.position.y"](take.frame_times) + 0.25, rtol=1e-5
    )


def test_what_is_no_table_is_refused() -> None:
    with pytest.raises(holotape.InvalidError, match="no table"):
        holotape.from_table(12)
    with pytest.raises(holotape.InvalidError):
        holotape.from_table(pa.table({"a": [1]}))


def test_the_other_space_turns_z_over(take: holotape.Recording) -> None:
    unity, other = take.to_arrow(rate=10), take.to_arrow(rate=10, space="right-handed")
    z = "camera.position.z"
    np.testing.assert_array_equal(unity[z].to_numpy(), -other[z].to_numpy())


def test_options_that_mean_nothing_are_errors(take: holotape.Recording) -> None:
    with pytest.raises(TypeError, match="rate means nothing"):
        take.table("keys", rate=30)
    with pytest.raises(ValueError, match='"frames" or "keys"'):
        take.table("rows")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="space has to be"):
        take.table(space="blender")  # type: ignore[typeddict-item]
    with pytest.raises(TypeError):
        take.table(speed=2)  # type: ignore[call-arg]
