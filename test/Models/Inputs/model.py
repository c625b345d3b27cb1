"""The Python module: rows, a mistake, and a description that names a source for every parameter."""
import acis_model

row, = acis_model.logcn(ranks=64, bytes=8)
assert abs(row["fused_us"] - 34.75266) < 1e-4, row
assert [r["ranks"] for r in acis_model.loggp(ranks=[2, 4])] == [2, 4]
assert acis_model.buffers(depth=7)[0]["bytes"] == 32192
assert acis_model.gemm_tuner(buffer_limit_bytes=131072)[0]["tm"] == 192
assert len(acis_model.gemm(tk=[32, 64])) == 2
for wrong in ({"ranks": 0}, {"rank": 4}, {"bytes": "many"}, {"bytes": float("nan")}, {"\udcff": 1}):
    try:
        acis_model.loggp(**wrong)
    except ValueError as error:
        assert str(error), wrong
    else:
        raise AssertionError(wrong)
try:
    acis_model.evaluate("loggq")
except ValueError as error:
    assert "no model 'loggq'" in str(error)
for model in acis_model.describe().values():
    assert all(one["source"] for one in model["parameters"].values()), model
