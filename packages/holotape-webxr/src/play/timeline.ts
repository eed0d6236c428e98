/** The events of a recording in the order of their times. */

import { isOn, lastAtOrBefore } from "../../../../web/src/recording/evaluate";
import { HANDS, type Hand } from "../../../../web/src/recording/joints";
import type { Recording } from "../read";
import type { RecordingEvent } from "../types";

export interface HandFlags {
  readonly tracked: boolean;
  readonly pinching: boolean;
}

export type Flags = Readonly<Record<Hand, HandFlags>>;

const NO_FLAGS: HandFlags = { tracked: false, pinching: false };
/** The flags before anything is known. */
export const NO_HANDS: Flags = { left: NO_FLAGS, right: NO_FLAGS };

export class Timeline {
  /** All times of flag keys and markers, sorted and unique. */
  private readonly times: Float32Array;
  private readonly markers = new Map<number, string[]>();

  constructor(private readonly recording: Recording) {
    const { curves, durationSecs } = recording;
    for (const { time, name } of recording.markers) {
      const here = this.markers.get(time);
      here === undefined ? this.markers.set(time, [name]) : here.push(name);
    }
    const flags = HANDS.flatMap((hand) => ["tracked", "pinching"].map((flag) => curves.byName.get(`${hand}.${flag}`)));
    const lists = [...flags.map((curve) => curve?.times ?? []), this.markers.keys()].map((list) =>
      Float32Array.from(list),
    );
    const times = concatArrays(lists).filter((time) => time >= 0 && time <= durationSecs);
    this.times = times.sort().filter((time, n) => time !== times[n - 1]);
  }

  /** A hand that is not tracked does not pinch. */
  flagsAt(time: number): Flags {
    const { byName } = this.recording.curves;
    const handFlags = (hand: Hand): HandFlags => {
      const tracked = isOn(byName.get(`${hand}.tracked`), time);
      return { tracked, pinching: tracked && isOn(byName.get(`${hand}.pinching`), time) };
    };
    return { left: handFlags("left"), right: handFlags("right") };
  }

  /** The events after `from` up to `to`, given the known flags; including those at `from` after a jump. */
  between(from: number, to: number, known: Flags, isJump: boolean): RecordingEvent[] {
    const passed = this.times.subarray(lastAtOrBefore(this.times, from) + 1, lastAtOrBefore(this.times, to) + 1);
    let flags = known;
    // Includes `to`, because a flag with a repeating wrap mode changes without a key.
    return [...(isJump ? [from] : []), ...passed, to].flatMap((time, n, { length }) => {
      const before = flags;
      flags = this.flagsAt(time);
      return [...changes(before, flags, time), ...(n < length - 1 ? this.markersAt(time) : [])];
    });
  }

  private markersAt(at: number): RecordingEvent[] {
    return (this.markers.get(at) ?? []).map((name) => ({ type: "marker", time: at, name }));
  }
}

function concatArrays(lists: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(lists.reduce((sum, { length }) => sum + length, 0));
  lists.reduce((at, list) => {
    all.set(list, at);
    return at + list.length;
  }, 0);
  return all;
}

/** A pinch ends before its hand is lost, and starts after it is found. */
function changes(before: Flags, after: Flags, time: number): RecordingEvent[] {
  return HANDS.flatMap((hand) => {
    const [a, b] = [before[hand], after[hand]];
    const events: RecordingEvent[] = [];
    if (a.pinching && !b.pinching) {
      events.push({ type: "pinchend", time, hand, cancelled: !b.tracked });
    }
    if (a.tracked !== b.tracked) {
      events.push({ type: b.tracked ? "handfound" : "handlost", time, hand });
    }
    if (!a.pinching && b.pinching) {
      events.push({ type: "pinchstart", time, hand });
    }
    return events;
  });
}
