/**
 * The state that parts of the page share, as signals.
 *
 * `AppState` can be changed, and only `App`, `Playback` and `View` have it. Everything else reads it as `State`, in which all signals
 * are read-only. State that one part alone needs (what is hovered, dragged or typed) stays in that part.
 */

import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { HandInfo, RecordingInfo, Span, ViewerState } from "./api";
import type { RecordingCurves } from "./recording/decode";
import type { Hand } from "./recording/joints";
import type { MotionSource, Sampler } from "./recording/sampler";

export type TrackedSpans = Pick<HandInfo, "tracked">;

/** A recording or a live take, as the scene draws it. */
export interface SceneRecording {
  readonly info: Pick<RecordingInfo, "id" | "name" | "duration_secs"> & Readonly<Record<Hand, TrackedSpans>>;
  readonly sampler: MotionSource;
  /** Index of its colour, fixed when it is opened. */
  readonly colorIndex: number;
  /** The page time at which the recording starts. */
  readonly offsetSecs: number;
  /** Set for a live take: its latest time, which is drawn whatever the page time is. */
  readonly live?: { readonly timeSecs: number };
}

export interface OpenRecording extends SceneRecording {
  readonly info: RecordingInfo;
  readonly curves: RecordingCurves;
  readonly sampler: Sampler;
  /** Whether `curves` has all keys; otherwise, it is an overview. */
  readonly hasAllKeys: boolean;
  readonly visible: boolean;
  /** For a preview: what the repair or optimization did. */
  readonly report: readonly string[];
}

/** A recording whose curves are loading, or could not be loaded. Its overview can be on screen already. */
export interface LoadingRecording extends Pick<OpenRecording, "info" | "report"> {
  /** From 0 to 1; `null` until the size is known. */
  readonly fraction: number | null;
  /** Why loading failed; `null` while it continues. */
  readonly error: string | null;
}

export type CameraMode = "orbit" | "follow" | "head";
export type Arrangement = "overlay" | "side";
export type Theme = "auto" | "light" | "dark";
export type PanelName = "recordings" | "markers" | "findings" | "curves" | "export" | "edit";

/** Two recordings whose motion is compared; `a` is the reference. */
export interface ComparedPair {
  readonly a: OpenRecording;
  readonly b: OpenRecording;
}

export class AppState {
  readonly recordings: Signal<readonly OpenRecording[]> = signal([]);
  readonly loading: Signal<readonly LoadingRecording[]> = signal([]);
  /** The id of the recording that the timeline and the panels show. */
  readonly activeId: Signal<number | null> = signal(null);
  /** Names of tasks that take long and must not be started twice. */
  readonly runningTasks: Signal<ReadonlySet<string>> = signal(new Set());

  /** Page time in seconds, as are all times in this class. */
  readonly time = signal(0);
  readonly playing = signal(false);
  readonly speed = signal(1);
  readonly looping = signal(true);
  /** The span that is looped, downloaded and trimmed to; `null` for everything. */
  readonly range: Signal<Span | null> = signal(null);
  /** The span that the timeline and the chart show. */
  readonly window: Signal<Span>;

  readonly camera: Signal<CameraMode> = signal("orbit");
  readonly arrangement: Signal<Arrangement> = signal("overlay");
  readonly difference = signal(false);
  readonly trails = signal(false);
  readonly theme: Signal<Theme> = signal("auto");
  readonly panel: Signal<PanelName | null> = signal("recordings");
  readonly helpOpen = signal(false);
  /** Counts requests to move the camera so that it shows all motion. */
  readonly frameRequests = signal(0);
  /** Counts requests to focus the file name in the edit panel. */
  readonly fileNameRequests = signal(0);
  /** Names of the curves in the chart: `left.IndexTip.position.y`. */
  readonly drawnCurves: Signal<readonly string[]> = signal([]);
  /** The body part or joint that the scene highlights: `camera`, `left`, `left.IndexTip`. */
  readonly highlightedSubject: Signal<string | null> = signal(null);

  readonly active: ReadonlySignal<OpenRecording | null> = computed(
    () => this.recordings.value.find((recording) => recording.info.id === this.activeId.value) ?? null,
  );
  readonly visible: ReadonlySignal<readonly OpenRecording[]> = computed(() =>
    this.recordings.value.filter((recording) => recording.visible),
  );
  /** Live takes of other clients that are watched here. */
  readonly watchedTakes: Signal<readonly SceneRecording[]> = signal([]);
  /** Counts frames received for watched takes. */
  readonly liveFrames = signal(0);
  /** What the scene draws: the watched takes if there are any, otherwise the visible recordings. */
  readonly sceneRecordings: ReadonlySignal<readonly SceneRecording[]> = computed(() =>
    this.watchedTakes.value.length > 0 ? this.watchedTakes.value : this.visible.value,
  );
  /** From the earliest start to the latest end of all recordings; never empty. */
  readonly span: ReadonlySignal<Span> = computed(() => spanOf(this.recordings.value));
  /** A recording and its preview, or else the first visible recording and the active one (or the second visible one). */
  readonly comparedPair: ReadonlySignal<ComparedPair | null> = computed(() =>
    pairOf(this.visible.value, this.active.value),
  );

  constructor(readonly viewer: ViewerState) {
    this.window = signal(this.span.value);
  }
}

/** `AppState` for readers. */
export type State = {
  readonly [Key in keyof AppState]: AppState[Key] extends Signal<infer Value> ? ReadonlySignal<Value> : AppState[Key];
};

/** Converts page time to the recording's own time. */
export function toLocalTime(recording: SceneRecording, time: number): number {
  return recording.live?.timeSecs ?? time - recording.offsetSecs;
}

/** Converts a span of page time to the recording's own time. */
export function toLocalSpan(recording: SceneRecording, [from, to]: Span): Span {
  return [toLocalTime(recording, from), toLocalTime(recording, to)];
}

/** Adding and subtracting offsets rounds: times closer than this are equal. */
const TIME_TOLERANCE_SECS = 1e-6;

/** Whether a page time is within a recording. */
export function playbackPhase(recording: SceneRecording, time: number): "before start" | "playing" | "after end" {
  const local = toLocalTime(recording, time);
  if (recording.live !== undefined) {
    return "playing";
  }
  if (local < -TIME_TOLERANCE_SECS) {
    return "before start";
  }
  return local > recording.info.duration_secs + TIME_TOLERANCE_SECS ? "after end" : "playing";
}

function spanOf(recordings: readonly OpenRecording[]): Span {
  const from = Math.min(0, ...recordings.map(({ offsetSecs }) => offsetSecs));
  const to = Math.max(from + 1e-3, ...recordings.map(({ offsetSecs, info }) => offsetSecs + info.duration_secs));
  return [from, to];
}

function pairOf(visible: readonly OpenRecording[], active: OpenRecording | null): ComparedPair | null {
  const preview = visible.find((recording) => recording.info.preview_of !== null);
  const original = visible.find((recording) => recording.info.id === preview?.info.preview_of);
  if (preview !== undefined && original !== undefined) {
    return { a: original, b: preview };
  }
  const [a, second] = visible;
  const b = active !== null && active !== a && visible.includes(active) ? active : second;
  return a !== undefined && b !== undefined ? { a, b } : null;
}
