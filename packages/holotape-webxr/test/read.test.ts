/** The reader beside what is known of every file of `testdata`: what it is, and what its curves evaluate to. */

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
  test("are there", () => expect(files.length).toBeGreaterThanOrEqual(19));

  test.each(files)("%s", (file) => {
    const truth = JSON.parse(readFileSync(`${TESTDATA}/valid/${file.replace(".bin", ".json")}`, "utf8")) as Truth;
    const recording = readRecording(readFileSync(`${TESTDATA}/valid/${file}`));
    const { curves: tape } = recording;
    expect([1, recording.minorVersion]).toEqual(truth.version);
    expect(recording.keys).toBe(truth.keys);
    expect(recording.hasMarkerList).toBe(truth.marker_list);
    expect(tape.channels).toEqual(truth.channels);
    expect(recording.durationSecs).toBeCloseTo(truth.duration, 5);
    expect(recording.markers.map(({ name }) => name)).toEqual(truth.markers.map(({ name }) => name));
    for (const [n, { time }] of truth.markers.entries()) {
      expect(recording.markers[n]?.time).toBeCloseTo(time, 5);
    }
    const counts = Object.fromEntries(tape.curves.map(({ name, times }) => [name, times.length]));
    expect(counts).toEqual(truth.key_counts);
    for (const [name, values] of Object.entries(truth.values)) {
      const curve = tape.byName.get(name);
      for (const [n, value] of values.entries()) {
        const found = curve === undefined ? Number.NaN : valueAt(curve, truth.times[n] ?? Number.NaN);
        expectNear(found, Number(value), `${name} at ${truth.times[n]} s`);
      }
    }
  });
});

test("curves with the same times share them, which makes a pose of them", () => {
  const { byName } = readRecording(readFileSync(`${TESTDATA}/valid/mrtk28_all.bin`)).curves;
  const times = (axis: string) => byName.get(`camera.rotation.${axis}`)?.times;
  expect(times("x")).toBeInstanceOf(Float32Array);
  expect(times("w")).toBe(times("x"));
  expect(byName.get("camera.position.x")?.times).not.toBe(times("x"));
});

test("keys out of order are put in order, those of equal time stay in theirs, those at no time are left out", () => {
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
  const { curves: tape, durationSecs } = readRecording(new Uint8Array(bytes.buffer));
  const [curve] = tape.curves;
  expect(curve?.name).toBe("gaze.direction.z");
  expect([...(curve?.times ?? [])]).toEqual([Number.NEGATIVE_INFINITY, 0, -0, 2, 2]);
  expect([...(curve?.values ?? [])]).toEqual([-1, 1, 2, 20, 21]);
  expect(durationSecs).toBe(2);
});

describe("broken files", () => {
  const expected = JSON.parse(readFileSync(`${TESTDATA}/invalid/expected.json`, "utf8")) as Readonly<
    Record<string, { readonly error: string }>
  >;

  test.each(named("invalid"))("%s", (file) => {
    const kind = expected[file.replace(".bin", "")]?.error.replace(/_(\w)/g, (_, letter: string) =>
      letter.toUpperCase(),
    );
    expect(faultOf(readFileSync(`${TESTDATA}/invalid/${file}`)).kind).toBe(kind);
  });

  // The places are those of docs/format.md, "What a reader refuses"; nothing stands for the length of the file.
  test.each([
    ["huge_key_count", null, /2147483647 keys \(by the count at byte 27\)/],
    ["huge_marker_count", null, /markers \(by the count at byte \d+\)/],
    ["negative_key_count", 27, /a key count of -5/],
    ["marker_not_utf8", 7816, /not UTF-8/],
    ["trailing_bytes", 7819, /^7 more bytes/],
  ])("%s says where", (file, byte, words) => {
    const bytes = readFileSync(`${TESTDATA}/invalid/${file}.bin`);
    const fault = faultOf(bytes);
    expect(fault.message).toMatch(words);
    expect(fault.offset).toBe(byte ?? bytes.length);
  });

  test("cut anywhere, or with any byte changed, a file is read or refused, and nothing else", () => {
    const whole = readFileSync(`${TESTDATA}/valid/mrtk28_gaze_only.bin`);
    for (let length = 0; length < whole.length; length++) {
      expectReadOrRefused(whole.subarray(0, length));
      const changed = Uint8Array.from(whole);
      changed[length] = 0xff - (whole[length] as number);
      expectReadOrRefused(changed);
    }
  });
});

describe("other files", () => {
  const text = (start: string) => new TextEncoder().encode(start);
  test.each([
    ["take.csv", "time,camera.position.x\n0,1\n", "`holotape convert take.csv take.bin`"],
    ["my take.json", '{"format":"holotape"}', '`holotape convert "my take.json" take.bin`'],
    ["take.bin", "HL2SSV23", "`holotape convert take.bin converted.bin`"],
    [undefined, "PAR1", "`holotape convert take.parquet take.bin`"],
    [undefined, "HIERARCHY\nROOT", "BVH motion, from which no recording can be read"],
    [undefined, "<!doctype html>", "a web page"],
  ])("%s", (name, start, words) => {
    const fault = faultOf(text(start), name);
    expect(fault.kind).toBe("notARecording");
    expect(fault.message).toContain(words);
  });
});

function faultOf(bytes: Uint8Array, name?: string): RecordingError {
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

function expectReadOrRefused(bytes: Uint8Array): void {
  try {
    readRecording(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(RecordingError);
  }
}

/** As near as the library's own test asks: evaluation means the exact curve, the truth was computed in 64 bits. */
function expectNear(found: number, wanted: number, what: string): void {
  const isSame = Object.is(found, wanted) || Math.abs(found - wanted) <= 1e-5 * Math.max(1, Math.abs(wanted));
  expect(isSame, `${what}: ${found} instead of ${wanted}`).toBe(true);
}
