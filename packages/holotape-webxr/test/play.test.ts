/** The recording's clock and its events, without a page. */

import { describe, expect, test } from "vitest";
import type { Curve } from "../../../web/src/recording/decode";
import { EventEmitter } from "../src/play/events";
import { Playback } from "../src/play/playback";
import type { Recording } from "../src/read";
import type { RecordingEvent } from "../src/types";

const flag = (name: string, keys: readonly (readonly [time: number, value: number])[]): Curve => ({
  name,
  kind: "bool",
  preWrap: 8,
  postWrap: 8,
  times: Float32Array.from(keys, ([time]) => time),
  values: Float32Array.from(keys, ([, value]) => value),
  bezier: null,
});

/** Two seconds: the left hand is tracked from 0.5 s to 1.5 s and pinches twice, the second time beyond its end. */
const CURVES = [
  flag("left.tracked", [
    [0, 0],
    [0.5, 1],
    [1.5, 0],
    [2, 0],
  ]),
  flag("left.pinching", [
    [0, 1],
    [0.625, 0],
    [0.75, 1],
    [0.875, 0],
    [1.25, 1],
  ]),
];

function recordingOf(markers: Recording["markers"] = []): Recording {
  const channels = { camera: false, hands: true, gaze: false };
  const byName = new Map(CURVES.map((curve) => [curve.name, curve]));
  const tape = { channels, curves: CURVES, byName };
  return { minorVersion: 1, keyLayout: "compact", curves: tape, durationSecs: 2, markers, hasMarkerList: true };
}

const describeEvents = (events: readonly RecordingEvent[]) => events.map(({ type, time }) => `${type} ${time}`);

describe("events", () => {
  const whole = [
    "marker 0",
    "handfound 0.5",
    "pinchstart 0.5",
    "pinchend 0.625",
    "pinchstart 0.75",
    "pinchend 0.875",
    "pinchstart 1.25",
    "pinchend 1.5",
    "handlost 1.5",
    "marker 2",
    "end 2",
  ];
  const markers = [
    { time: 2, name: "last" },
    { time: 0, name: "first" },
    { time: 3, name: "beyond" },
    { time: -1, name: "before" },
    { time: Number.NaN, name: "never" },
  ];

  test.each([0.4, 1, 3, 72, 1000])("are the same at %d steps per second", (rate) => {
    const playback = new Playback(recordingOf(markers), rate);
    const events = Array.from({ length: Math.ceil(2 * rate) }, () => playback.step()).flat();
    expect(describeEvents(events)).toEqual(whole);
    expect(playback.step()).toEqual([]);
  });

  test("a pinch is cancelled only if its hand is lost", () => {
    const events = new Playback(recordingOf(), 1).step();
    const all = [...events, ...new Playback(recordingOf(), 0.5).step()];
    const ends = all.filter((event) => event.type === "pinchend").map(({ time, cancelled }) => [time, cancelled]);
    expect(ends).toEqual([
      [0.625, false],
      [0.875, false],
      [0.625, false],
      [0.875, false],
      [1.5, true],
    ]);
  });

  test("a jump reports changed flags and the marker at its time", () => {
    const playback = new Playback(recordingOf([{ time: 1, name: "middle" }]), 4);
    playback.seek(1);
    expect(describeEvents(playback.step())).toEqual(["handfound 1", "marker 1", "pinchstart 1.25"]);
    playback.seek(0);
    expect(describeEvents(playback.step())).toEqual(["pinchend 0", "handlost 0"]);
    playback.seek(1.125);
    expect(describeEvents(playback.step())).toEqual(["handfound 1.125", "pinchstart 1.25"]);
  });

  test("the end of a lap ends a pinch", () => {
    const playback = new Playback(recordingOf([{ time: 0, name: "start" }]), 72);
    playback.play({ loop: true });
    expect(describeEvents(playback.advanceRealTime(1.25)).at(-1)).toBe("pinchstart 1.25");
    expect(describeEvents(playback.advanceRealTime(1.25))).toEqual([
      "pinchend 1.5",
      "handlost 1.5",
      "marker 0",
      "handfound 0.5",
      "pinchstart 0.5",
    ]);
    expect(playback.time).toBe(0.5);
    expect(playback.stampMs).toBe(2500);
  });
});

describe("the clock", () => {
  test("a thousand steps have no rounding error", () => {
    const playback = new Playback({ ...recordingOf(), durationSecs: 1000 }, 72);
    for (let n = 0; n < 1000; n++) {
      playback.step();
    }
    expect(playback.time).toBe(1000 / 72);
    expect(playback.stampMs).toBe(1_000_000 / 72);
  });

  test("stays at the end while the page's time continues", () => {
    const playback = new Playback(recordingOf(), 1);
    for (let n = 0; n < 5; n++) {
      playback.step();
    }
    expect([playback.time, playback.stampMs]).toEqual([2, 5000]);
    playback.play({ speed: 2 });
    expect(playback.time).toBe(0);
    playback.advanceRealTime(0.25);
    expect([playback.time, playback.stampMs]).toEqual([0.5, 5500]);
  });

  test("a recording of zero length ends immediately and does not loop", () => {
    const playback = new Playback({ ...recordingOf(), durationSecs: 0 }, 72);
    playback.play({ loop: true });
    expect(describeEvents(playback.advanceRealTime(1))).toEqual(["end 0"]);
    expect(playback.time).toBe(0);
  });

  test("rejects invalid arguments", () => {
    const playback = new Playback(recordingOf(), 72);
    expect(() => playback.play({ speed: -1 })).toThrow("invalid speed: -1");
    expect(() => playback.seek(Number.POSITIVE_INFINITY)).toThrow("invalid time: Infinity");
    playback.seek(-5);
    expect(playback.time).toBe(0);
  });
});

test("loops over events start immediately, queue events, and end", async () => {
  const events = new EventEmitter();
  events.emit({ type: "end", time: 1 });
  const iterator = events[Symbol.asyncIterator]();
  const stop = events.on("end", () => events.emit({ type: "marker", time: 2, name: "behind" }));
  events.emit({ type: "end", time: 2 });
  stop();
  const [first, second] = [await iterator.next(), await iterator.next()];
  expect([first.value?.type, second.value?.type].sort()).toEqual(["end", "marker"]);
  const waiting = iterator.next();
  events.close();
  expect((await waiting).done).toBe(true);
  expect((await events[Symbol.asyncIterator]().next()).done).toBe(true);
});
