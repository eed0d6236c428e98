/** Finds where a hand was last tracked. */

import type { HandInfo, Span } from "../api";
import type { Hand } from "../recording/joints";
import type { HandFrame, MotionSource } from "../recording/sampler";
import { countWhile } from "../search";

/** A tracked span ends at the first time without the hand. */
const JUST_BEFORE_SECS = 1e-4;

/** The hand at the end of its last tracked span; `null` if it has not been tracked yet. */
export function lastTrackedFrame(sampler: MotionSource, hand: Hand, info: HandInfo, time: number): HandFrame | null {
  const span = lastEndedBy(info.tracked, time);
  const frame = span && sampler.handAt(hand, Math.max(span[1] - JUST_BEFORE_SECS, span[0]));
  return frame?.tracked ? frame : null;
}

function lastEndedBy(spans: readonly Span[], time: number): Span | null {
  return spans[countWhile(spans.length, (index) => (spans[index]?.[1] ?? 0) <= time) - 1] ?? null;
}
