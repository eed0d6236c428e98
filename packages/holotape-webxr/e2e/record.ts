/** Writes small recordings of computed frames. */

import { holotape, type PrintedFrame } from "./holotape";

/** Writes a recording of the frames that a function returns, one every 50 ms. */
export function record(file: string, frames: number, frameAt: (time: number) => Omit<PrintedFrame, "time">): string {
  const lines = Array.from({ length: frames }, (_, n) => JSON.stringify({ time: n / 20, ...frameAt(n / 20) }));
  holotape(["record", file, "--no-gaze-fallback"], `${lines.join("\n")}\n`);
  return file;
}

export const head = { camera: { position: [0.1, 1.5, 0.2], rotation: [0, 0, 0, 1] } } as const;
export const wrist = { Wrist: { position: [0.2, 1.2, 0.4], rotation: [0, 0, 0, 1] } } as const;

/** Events as text. */
export function kinds(events: readonly { readonly type: string; readonly hand: string }[]): string[] {
  return events.map(({ type, hand }) => `${type} ${hand}`);
}
