/** Unit tests of the validation of server responses. */

import { expect, test } from "@playwright/test";
import { validate } from "../src/validate";

const HEADER = {
  channels: { camera: true, hands: false, gaze: false },
  duration_secs: 1.5,
  time_counts: [2],
  curves: [{ name: "camera.position.x", kind: "linear", pre_wrap: 8, post_wrap: 8, times: 0 }],
};
const STATE = {
  version: "1.0.0",
  can_edit: false,
  can_record: true,
  record_dir: null,
  upload_limit_bytes: 1,
  recordings: [],
  failures: [],
};

test("validate returns valid values", () => {
  expect(validate("CurvePackHeader", HEADER)).toBe(HEADER);
  expect(validate("ViewerState", STATE)).toBe(STATE);
});

test("validate ignores unknown fields", () => {
  const state = { ...STATE, later: 1 };
  expect(validate("ViewerState", state)).toBe(state);
});

for (const [value, problem] of [
  [null, "ViewerState is not of type object"],
  [{ ...STATE, can_edit: undefined }, "ViewerState.can_edit is missing"],
  [{ ...STATE, record_dir: 1 }, "ViewerState.record_dir is not of type string or null"],
  [{ ...STATE, upload_limit_bytes: 0.5 }, "ViewerState.upload_limit_bytes is not of type integer"],
  [{ ...STATE, recordings: {} }, "ViewerState.recordings is not of type array"],
  [{ ...STATE, failures: [{ name: "a" }] }, "ViewerState.failures[0].message is missing"],
] as const) {
  test(`validate reports: ${problem}`, () => {
    expect(() => validate("ViewerState", value)).toThrow(problem);
  });
}

test("validate rejects unknown values of enumerations", () => {
  const curves = [{ ...HEADER.curves[0], kind: "spline" }];
  expect(() => validate("CurvePackHeader", { ...HEADER, curves })).toThrow('curves[0].kind is "spline"');
});
