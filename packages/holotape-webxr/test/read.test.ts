/** Reads all files of `testdata`, and compares their properties and evaluated curves with the expected ones. */

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { valueAt } from "../../../web/src/recording/evaluate";
import { readRecording } from "../src/read";
import { RecordingError } from "../src/read/error";

const TESTDATA = fileURLToPath(new URL("../../../testdata", import.meta.url));
const named = (folder: string) => readdirSync(`${TESTDATA}/${folder}`).filter((name) => name.endsWith(".bin"));

interface Truth {
  readonly version: readonly [number, number];
  readonly keys: "full" | "compact";
  readonly marker_list: boolean;
  readonly channels: { readonly camera: boolean; readonly hands: boolean; readonly gaze: boolean };
  readonly duration: number;
  readonly markers: readonly { readonly time: number; readonly name: string }[];
  readonly key_counts: Readonly<Record<string, number>>;
  readonly times: readonly number[];
  readonly values: Readonly<Record<string, readonly (number | string)[]>>;
}

describe("valid files", () => {
  const files = named("valid");
  test("exist", () => expect(files.length).toBeGreaterThanOrEqual(19));

  test.each(files)("%s", (file) => {
    const truth = JSON.parse(readFileSync(`${TESTDATA}/valid/${file.replace(".bin", ".json")}`, "utf8")) as Truth;
    const recording = readRecording(readFileSync(`${TESTDATA}/valid/${file}`));
    const { curves } = recording;
    expect([1, recording.minorVersion]).toEqual(truth.version);
    expect(recording.keyLayout).toBe(truth.keys);
    expect(recording.hasMarkerList).toBe(truth.marker_list);
    expect(curves.channels).toEqual(truth.channels);
    expect(recording.durationSecs).toBeCloseTo(truth.duration, 5);
    expect(recording.markers.map(({ name }) => name)).toEqual(truth.markers.map(({ name }) => name));
    for (const [n, { time }] of truth.markers.entries()) {
      expect(recording.markers[n]?.time).toBeCloseTo(time, 5);
    }
    const counts = Object.fromEntries(curves.curves.map(({ name, times }) => [name, times.length]));
    expect(counts).toEqual(truth.key_counts);
    for (const [name, values] of Object.entries(truth.values)) {
      const curve = curves.byName.get(name);
      for (const [n, value] of values.entries()) {
        const found = curve === undefined ? Number.NaN : valueAt(curve, truth.times[n] ?? Number.NaN);
        expectNear(found, Number(value), `${name} at ${truth.times[n]} s`);
      }
    }
  });
});

test("curves with the same times share one array", () => {
  const { byName } = readRecording(readFileSync(`${TESTDATA}/valid/mrtk28_all.bin`)).curves;
  const times = (axis: string) => byName.get(`camera.rotation.${axis}`)?.times;
  expect(times("x")).toBeInstanceOf(Float32Array);
  expect(times("w")).toBe(times("x"));
  expect(byName.get("camera.position.x")?.times).not.toBe(times("x"));
});

test("keys are sorted stably and NaN times are dropped", () => {
  const keys = [2, 20, Number.NaN, 99, 0, 1, -0, 2, Number.NEGATIVE_INFINITY, -1, 2, 21];
  const bytes = new DataView(new ArrayBuffer(19 + 6 * 12 + 4 * keys.length));
  const header = [0xc6, 0x42, 0x9e, 0x0f, 0x6e, 0xaf, 0x8f, 0x6a, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1];
  header.forEach((byte, at) => void bytes.setUint8(at, byte));
  for (let curve = 0; curve < 6; curve++) {
    bytes.setInt32(19 + 12 * curve, 8, true);
    bytes.setInt32(23 + 12 * curve, 8, true);
  }
  bytes.setInt32(19 + 5 * 12 + 8, keys.length / 2, true);
  keys.forEach((number, n) => void bytes.setFloat32(19 + 6 * 12 + 4 * n, number, true));
  const { curves, durationSecs } = readRecording(new Uint8Array(bytes.buffer));
  const [curve] = curves.curves;
  expect(curve?.name).toBe("gaze.direction.z");
  expect([...(curve?.times ?? [])]).toEqual([Number.NEGATIVE_INFINITY, 0, -0, 2, 2]);
  expect([...(curve?.values ?? [])]).toEqual([-1, 1, 2, 20, 21]);
  expect(durationSecs).toBe(2);
});

describe("damaged files", () => {
  const expected = JSON.parse(readFileSync(`${TESTDATA}/invalid/expected.json`, "utf8")) as Readonly<
    Record<string, { readonly error: string }>
  >;

  test.each(named("invalid"))("%s", (file) => {
    const kind = expected[file.replace(".bin", "")]?.error.replaceAll("_", "-");
    expect(errorOf(readFileSync(`${TESTDATA}/invalid/${file}`)).kind).toBe(kind);
  });

  // Offsets as in docs/format.md, "What a reader refuses"; `null` for the length of the file.
  test.each([
    ["huge_key_count", null, /2147483647 keys \(count at byte 27\)/],
    ["huge_marker_count", null, /markers \(count at byte \d+\)/],
    ["negative_key_count", 27, /invalid key count: -5/],
    ["marker_not_utf8", 7816, /not UTF-8/],
    ["trailing_bytes", 7819, /^7 unexpected bytes/],
  ])("%s reports its offset", (file, byte, message) => {
    const bytes = readFileSync(`${TESTDATA}/invalid/${file}.bin`);
    const error = errorOf(bytes);
    expect(error.message).toMatch(message);
    expect(error.offset).toBe(byte ?? bytes.length);
  });

  test("a truncated or modified file is read or rejected with a RecordingError", () => {
    const complete = readFileSync(`${TESTDATA}/valid/mrtk28_gaze_only.bin`);
    for (let length = 0; length < complete.length; length++) {
      expectReadOrRejected(complete.subarray(0, length));
      const changed = Uint8Array.from(complete);
      changed[length] = 0xff - (complete[length] as number);
      expectReadOrRejected(changed);
    }
  });
});

describe("other files", () => {
  const text = (start: string) => new TextEncoder().encode(start);
  test.each([
    ["grasp.csv", "time,camera.position.x\n0,1\n", "`holotape convert grasp.csv recording.bin`"],
    ["my grasp.json", '{"format":"holotape"}', '`holotape convert "my grasp.json" recording.bin`'],
    ["recording.bin", "HL2SSV23", "`holotape convert recording.bin converted.bin`"],
    [undefined, "PAR1", "`holotape convert recording.parquet recording.bin`"],
    ["grab.handsbin", "\x02\0\0\0\x01", "`holotape convert grab.handsbin recording.bin`"],
    [undefined, "HIERARCHY\nROOT", "BVH motion, which cannot be read"],
    [undefined, "<!doctype html>", "a web page"],
  ])("%s", (name, start, message) => {
    const error = errorOf(text(start), name);
    expect(error.kind).toBe("not-a-recording");
    expect(error.message).toContain(message);
  });
});

function errorOf(bytes: Uint8Array, name?: string): RecordingError {
  try {
    readRecording(bytes, name);
  } catch (error) {
    if (error instanceof RecordingError) {
      return error;
    }
    throw error;
  }
  throw new Error("was read");
}

function expectReadOrRejected(bytes: Uint8Array): void {
  try {
    readRecording(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(RecordingError);
  }
}

/** The tolerance of the library's own test. Expected values were computed in 64 bits. */
function expectNear(found: number, expected: number, subject: string): void {
  const isSame = Object.is(found, expected) || Math.abs(found - expected) <= 1e-5 * Math.max(1, Math.abs(expected));
  expect(isSame, `${subject}: ${found} instead of ${expected}`).toBe(true);
}
