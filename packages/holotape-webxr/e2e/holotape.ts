/** Runs `holotape`, which writes and samples the recordings of the tests. */

import { execFileSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const PROGRAM = process.env.HOLOTAPE ?? path.join(ROOT, "target/debug/holotape");
const MAX_OUTPUT_BYTES = 1 << 28;

export interface Pose {
  readonly position: readonly [number, number, number];
  readonly rotation: readonly [number, number, number, number];
}

export interface PrintedHand {
  readonly tracked: boolean;
  readonly pinching: boolean;
  readonly joints?: Readonly<Record<string, Pose>>;
}

/** A frame in the program's format, in Unity's coordinates. */
export interface PrintedFrame {
  readonly time: number;
  readonly camera?: Pose;
  readonly gaze?: { readonly origin: readonly number[]; readonly direction: readonly number[] };
  readonly left?: PrintedHand;
  readonly right?: PrintedHand;
}

/** Runs the program. Returns its standard output. */
export function holotape(args: readonly string[], input?: string): string {
  const stdio = [input === undefined ? "ignore" : "pipe", "pipe", "pipe"] as const;
  return execFileSync(PROGRAM, args, {
    maxBuffer: MAX_OUTPUT_BYTES,
    stdio: [...stdio],
    ...(input && { input }),
  }).toString();
}

/** The frames printed by `holotape sample`. */
export function sample(file: string, ...args: readonly string[]): PrintedFrame[] {
  const lines = holotape(["sample", file, "--format", "ndjson", ...args]).trimEnd();
  return lines.split("\n").map((line) => JSON.parse(line) as PrintedFrame);
}
