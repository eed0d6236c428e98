/** What the page shows, as signals. Everything on the page follows from these; `app.ts` has what people do to them. */

import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals-core";
import type { Session, Span, TakeInfo } from "./api";
import type { Tape } from "./tape/decode";
import type { Motion, Sampler } from "./tape/sampler";

/** A take as the scene draws it. */
export interface Staged {
  readonly info: Pick<TakeInfo, "id" | "name" | "durationSecs" | "left" | "right">;
  readonly sampler: Motion;
  /** Which colour it has, counted from 0; stays. */
  readonly tint: number;
  /** What is added to the take's own time to give that of the page. */
  readonly offsetSecs: number;
  /** The time that it has come to, if it is being recorded: it is shown as it is then, whatever the time of the page. */
  readonly live?: { readonly timeSecs: number };
}

export interface Take extends Staged {
  readonly info: TakeInfo;
  readonly tape: Tape;
  readonly sampler: Sampler;
  readonly visible: boolean;
}

export type CameraMode = "orbit" | "follow" | "head";
export type Arrangement = "overlay" | "side";
export type Theme = "auto" | "light" | "dark";
export type PanelName = "takes" | "markers" | "findings" | "curves" | "export" | "edit";

/** Two takes whose motion is compared: the reference first. */
export interface Pair {
  readonly a: Take;
  readonly b: Take;
}

export class State {
  readonly session: Session;
  readonly takes: Signal<readonly Take[]> = signal([]);
  /** The id of the take that the timeline and the panels are about. */
  readonly activeId: Signal<number | null> = signal(null);

  /** Seconds. All times here are the page's, not those of a take. */
  readonly time = signal(0);
  readonly playing = signal(false);
  readonly speed = signal(1);
  readonly looping = signal(true);
  /** What is looped, downloaded and trimmed to; all of it if nothing. */
  readonly range: Signal<Span | null> = signal(null);
  /** What the timeline and the curves show. */
  readonly window: Signal<Span>;

  readonly camera: Signal<CameraMode> = signal("orbit");
  readonly arrangement: Signal<Arrangement> = signal("overlay");
  readonly difference = signal(false);
  readonly trails = signal(false);
  readonly theme: Signal<Theme> = signal("auto");
  readonly panel: Signal<PanelName | null> = signal("takes");
  /** Counts how often it was asked to look at all of the motion again. */
  readonly framings = signal(0);
  /** Names of curves that are drawn: `left.IndexTip.position.y`. */
  readonly curves: Signal<readonly string[]> = signal([]);
  /** The camera, a hand, a joint that is pointed out in the scene: `left.IndexTip`. */
  readonly highlight: Signal<string | null> = signal(null);

  readonly active: ReadonlySignal<Take | null> = computed(
    () => this.takes.value.find((take) => take.info.id === this.activeId.value) ?? null,
  );
  readonly visible: ReadonlySignal<readonly Take[]> = computed(() => this.takes.value.filter((take) => take.visible));
  /** What is being recorded elsewhere and watched here. */
  readonly watched: Signal<readonly Staged[]> = signal([]);
  /** Counts the frames that came of these. */
  readonly liveFrames = signal(0);
  /** What the scene shows: what is watched, in the place of all else; or else the takes that are visible. */
  readonly staged: ReadonlySignal<readonly Staged[]> = computed(() =>
    this.watched.value.length > 0 ? this.watched.value : this.visible.value,
  );
  /** From the first to the last time of any take; never empty. */
  readonly span: ReadonlySignal<Span> = computed(() => spanOf(this.takes.value));
  /** A take and its preview; or else the first visible take and the active one, or the one after, where there are two. */
  readonly pair: ReadonlySignal<Pair | null> = computed(() => pairOf(this.visible.value, this.active.value));

  constructor(session: Session) {
    this.session = session;
    this.window = signal(this.span.value);
  }
}

/** A take's own time at a time of the page. */
export function ownTime(take: Staged, time: number): number {
  return take.live?.timeSecs ?? time - take.offsetSecs;
}

/** Times are added and taken away again: what is off by less than this is the same moment. */
const SLACK_SECS = 1e-6;

/** Where a time of the page lies in a take. Outside, it has nothing to show or to compare. */
export function phaseOf(take: Staged, time: number): "not begun" | "on" | "over" {
  if (take.live !== undefined) {
    return "on";
  }
  const own = ownTime(take, time);
  return own < -SLACK_SECS ? "not begun" : own > take.info.durationSecs + SLACK_SECS ? "over" : "on";
}

/** The first colour that none of the takes has. */
export function freeTint(takes: readonly Take[]): number {
  const used = new Set(takes.map((take) => take.tint));
  let tint = 0;
  while (used.has(tint)) {
    tint += 1;
  }
  return tint;
}

function spanOf(takes: readonly Take[]): Span {
  const from = Math.min(0, ...takes.map((take) => take.offsetSecs));
  const to = Math.max(...takes.map((take) => take.offsetSecs + take.info.durationSecs), from + 1e-3);
  return [from, to];
}

function pairOf(visible: readonly Take[], active: Take | null): Pair | null {
  return previewPairOf(visible) ?? firstPairOf(visible, active);
}

function previewPairOf(visible: readonly Take[]): Pair | null {
  const b = visible.find((take) => take.info.previewOf !== null);
  const a = visible.find((take) => take.info.id === b?.info.previewOf);
  return a !== undefined && b !== undefined ? { a, b } : null;
}

function firstPairOf(visible: readonly Take[], active: Take | null): Pair | null {
  const [a, second] = visible;
  const b = active !== null && active !== a && visible.includes(active) ? active : second;
  return a !== undefined && b !== undefined ? { a, b } : null;
}
