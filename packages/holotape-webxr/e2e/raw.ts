/** The log of the page in `raw/`. */

import type { Page } from "@playwright/test";
import { RAW_PAGE } from "./fixtures";
import type { Pose } from "./holotape";

export interface Seen {
  readonly handedness: "left" | "right" | "none";
  readonly mode: string;
  readonly profiles: readonly string[];
  readonly joints: Readonly<Record<string, Pose | null>>;
  readonly radius: readonly number[];
  readonly matrices: readonly number[];
  readonly radii: readonly number[];
  readonly areFilled: readonly boolean[];
  readonly ray: Pose | null;
  readonly grip: Pose | null;
  readonly isEmulated: boolean | undefined;
  readonly pinch: number | undefined;
}

export interface SeenFrame {
  readonly timeMs: number;
  readonly displayMs: number;
  readonly frameRate: number;
  readonly viewer: Pose;
  /** Of each eye's viewport, as fractions of the canvas. */
  readonly widths: readonly number[];
  readonly fromShifted: Pose;
  readonly sources: readonly Seen[];
  readonly gone: readonly Seen[];
}

export interface RawLog {
  readonly frames: readonly SeenFrame[];
  readonly events: readonly {
    readonly frame: number;
    readonly type: string;
    readonly hand: string;
    readonly mode?: string;
    readonly isListed?: boolean;
    readonly hasPose?: boolean;
  }[];
}

export async function enter(page: Page, { features = "hand-tracking", space = "local-floor" } = {}): Promise<void> {
  await page.goto(`${RAW_PAGE}?${new URLSearchParams({ features, space })}`);
  await page.click("#enter");
}

export function logOf(page: Page): Promise<RawLog> {
  return page.evaluate("window.log") as Promise<RawLog>;
}
