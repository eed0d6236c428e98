/** What the page shows, as signals. Everything on the page follows from these; `app.ts` has what people do to them. */

import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals-core";
import type { RecordingInfo, Span, ViewerState } from "./api";
import type { RecordingCurves } from "./recording/decode";
import type { MotionSource, Sampler } from "./recording/sampler";

/** A take as the scene draws it. */
export interface SceneRecording {
  readonly info: Pick<RecordingInfo, "id" | "name" | "durationSecs" | "left" | "right">;
  readonly sampler: MotionSource;
  /** Which colour it has, counted from 0; stays. */
  readonly colorIndex: number;
  /** What is added to the take's own time to give that of the page. */
  readonly offsetSecs: number;
  /** The time that it has come to, if it is being recorded: it is shown as it is then, whatever the time of the page. */
  readonly live?: { readonly timeSecs: number };
}

export interface OpenRecording extends SceneRecording {
  readonly info: RecordingInfo;
  readonly curves: RecordingCurves;
  readonly sampler: Sampler;
  readonly visible: boolean;
}

export type CameraMode = "orbit" | "follow" | "head";
export type Arrangement = "overlay" | "side";
export type Theme = "auto" | "light" | "dark";
export type PanelName = "takes" | "markers" | "findings" | "curves" | "export" | "edit";

/** Two takes whose motion is compared: the reference first. */
export interface ComparedPair {
  readonly a: OpenRecording;
  readonly b: OpenRecording;
}

export class State {
  readonly viewer: ViewerState;
  readonly recordings: Signal<readonly OpenRecording[]> = signal([]);
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
  readonly frameRequests = signal(0);
  /** Names of curves that are drawn: `left.IndexTip.position.y`. */
  readonly drawnCurves: Signal<readonly string[]> = signal([]);
  /** The camera, a hand, a joint that is pointed out in the scene: `left.IndexTip`. */
  readonly highlightedSubject: Signal<string | null> = signal(null);

  readonly active: ReadonlySignal<OpenRecording | null> = computed(
    () => this.recordings.value.find((recording) => recording.info.id === this.activeId.value) ?? null,
  );
  readonly visible: ReadonlySignal<readonly OpenRecording[]> = computed(() =>
    this.recordings.value.filter((recording) => recording.visible),
  );
  /** What is being recorded elsewhere and watched here. */
  readonly watchedTakes: Signal<readonly SceneRecording[]> = signal([]);
  /** Counts the frames that came of these. */
  readonly liveFrames = signal(0);
  /** What the scene shows: what is watched, in the place of all else; or else the takes that are visible. */
  readonly sceneRecordings: ReadonlySignal<readonly SceneRecording[]> = computed(() =>
    this.watchedTakes.value.length > 0 ? this.watchedTakes.value : this.visible.value,
  );
  /** From the first to the last time of any take; never empty. */
  readonly span: ReadonlySignal<Span> = computed(() => spanOf(this.recordings.value));
  /** A take and its preview; or else the first visible take and the active one, or the one after, where there are two. */
  readonly comparedPair: ReadonlySignal<ComparedPair | null> = computed(() =>
    pairOf(this.visible.value, this.active.value),
  );

  constructor(viewer: ViewerState) {
    this.viewer = viewer;
    this.window = signal(this.span.value);
  }
}

/** A take's own time at a time of the page. */
export function toLocalTime(recording: SceneRecording, time: number): number {
  return recording.live?.timeSecs ?? time - recording.offsetSecs;
}

/** Times are added and taken away again: what is off by less than this is the same moment. */
const SLACK_SECS = 1e-6;

/** Where a time of the page lies in a take. Outside, it has nothing to show or to compare. */
export function playbackPhase(recording: SceneRecording, time: number): "not begun" | "on" | "over" {
  if (recording.live !== undefined) {
    return "on";
  }
  const own = toLocalTime(recording, time);
  return own < -SLACK_SECS ? "not begun" : own > recording.info.durationSecs + SLACK_SECS ? "over" : "on";
}

/** The first colour that none of the takes has. */
export function nextColorIndex(recordings: readonly OpenRecording[]): number {
  const used = new Set(recordings.map((recording) => recording.colorIndex));
  let colorIndex = 0;
  while (used.has(colorIndex)) {
    colorIndex += 1;
  }
  return colorIndex;
}

function spanOf(recordings: readonly OpenRecording[]): Span {
  const from = Math.min(0, ...recordings.map((recording) => recording.offsetSecs));
  const to = Math.max(
    ...recordings.map((recording) => recording.offsetSecs + recording.info.durationSecs),
    from + 1e-3,
  );
  return [from, to];
}

function pairOf(visible: readonly OpenRecording[], active: OpenRecording | null): ComparedPair | null {
  return previewPairOf(visible) ?? firstPairOf(visible, active);
}

function previewPairOf(visible: readonly OpenRecording[]): ComparedPair | null {
  const b = visible.find((recording) => recording.info.previewOf !== null);
  const a = visible.find((recording) => recording.info.id === b?.info.previewOf);
  return a !== undefined && b !== undefined ? { a, b } : null;
}

function firstPairOf(visible: readonly OpenRecording[], active: OpenRecording | null): ComparedPair | null {
  const [a, second] = visible;
  const b = active !== null && active !== a && visible.includes(active) ? active : second;
  return a !== undefined && b !== undefined ? { a, b } : null;
}
