/** The public types of the package. */

export type Handedness = "left" | "right";

export interface RecordingMarker {
  /** Seconds from the start of the recording. */
  readonly time: number;
  readonly name: string;
}

/** An event of the recording. Times are exact key times, not frame times. */
export type RecordingEvent =
  | { readonly type: "handfound" | "handlost" | "pinchstart"; readonly time: number; readonly hand: Handedness }
  /** Cancelled if the hand was lost during the pinch: the page receives `selectend` without `select`. */
  | { readonly type: "pinchend"; readonly time: number; readonly hand: Handedness; readonly cancelled: boolean }
  | { readonly type: "marker"; readonly time: number; readonly name: string }
  | { readonly type: "end"; readonly time: number };

export type RecordingEventType = RecordingEvent["type"];

/** The events of a type. */
export type RecordingEventOf<Type extends RecordingEventType> = Extract<RecordingEvent, { readonly type: Type }>;

/** Emulated headsets, by their names in `iwer`. */
export type DeviceName = "oculusQuest1" | "metaQuest2" | "metaQuest3" | "metaQuestPro";

/** The recording's origin in the page's `local-floor` space. */
export interface RecordingOrigin {
  /** Metres to the right, in the page's axes. */
  readonly x?: number;
  /** Metres backward, in the page's axes. */
  readonly z?: number;
  /** Rotation to the left about the recording's origin, in degrees. */
  readonly yawDeg?: number;
  /**
   * Height of the recording's origin above the floor in metres. `"auto"`: 1.6 if the head starts less than 0.5 m above the origin, as on
   * HoloLens, where the origin is the initial head position; otherwise 0.
   */
  readonly floor?: "auto" | number;
}

export interface InstallOptions {
  /** The emulated headset. Default: `"metaQuest3"`. */
  readonly device?: DeviceName;
  /** Steps per second. Default: 72. */
  readonly rate?: number;
  /** Whether to play as soon as the page requests frames. Default: false. */
  readonly autoplay?: boolean;
  /** Whether to replace the browser's own WebXR, which Chromium has. Default: true. */
  readonly forceInstall?: boolean;
  readonly origin?: RecordingOrigin;
  /** Whether to draw both eyes side by side, which takes twice as long. The page always gets both views. Default: false. */
  readonly stereo?: boolean;
}

export interface PlayOptions {
  /** Default: 1. */
  readonly speed?: number;
  /** Whether to restart at the end. Default: false. */
  readonly loop?: boolean;
}

/**
 * Controls the recording's clock. Time advances only while the page has an immersive session and requests frames, so that the page does not
 * miss the start.
 */
export interface RecordingController {
  /** The time of the last frame in seconds; during playback in another process, of the last report. */
  readonly time: number;
  /** In seconds. */
  readonly duration: number;
  readonly markers: readonly RecordingMarker[];
  /** All events from now on, until `uninstall`. */
  readonly events: AsyncIterable<RecordingEvent>;
  /** Plays in real time, from the start if it is at the end. At the end, hands and head keep their poses. */
  play(options?: PlayOptions): Promise<void>;
  /** Stops the frames of the page's session until `play` or `step`. This is the initial state, unless `autoplay` is set. */
  pause(): Promise<void>;
  /** Pauses, and sets the time from which the next frame starts. */
  seek(seconds: number): Promise<void>;
  /**
   * Advances the clock by `frames` times 1/rate, and runs exactly one frame of the page's session for each. Waits until the page has a
   * session and requests a frame. Resolves when the page's callbacks of the last frame have run.
   */
  step(frames?: number): Promise<void>;
  /** Listens to events of a type. Returns a function that stops listening. */
  on<Type extends RecordingEventType>(type: Type, listener: (event: RecordingEventOf<Type>) => void): () => void;
  /** Ends the page's session and restores the browser's own WebXR. */
  uninstall(): Promise<void>;
}

/** The part of a Playwright `Page` that is used. */
export interface PageLike {
  addInitScript(script: { readonly content: string }): Promise<unknown>;
  exposeFunction(name: string, callback: (report: string) => void): Promise<unknown>;
  evaluate(expression: string): Promise<unknown>;
}

/** The part of a `window` that is used. It must be the current one. */
export interface WindowLike {
  readonly window: unknown;
  readonly navigator: unknown;
}

/** The bytes of a `.bin` file of any version, or a URL; in Node also a path. */
export type RecordingSource = Uint8Array | ArrayBuffer | string | URL;

export type { RecordingErrorKind } from "./read/error";
