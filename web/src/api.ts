/** What the server says and takes, as JSON: `docs/viewer.md` describes the routes, `crates/holotape-viewer/src/describe.rs` makes these. */

export interface ViewerState {
  /** Of the program. */
  readonly version: string;
  /** Whether recordings may be changed and saved. */
  readonly edit: boolean;
  /** Whether takes can be recorded and watched while they are. */
  readonly live: boolean;
  /** Where they are saved; nothing where they cannot be recorded. */
  readonly takesFolder: string | null;
  readonly uploadLimitBytes: number;
  readonly takes: readonly RecordingInfo[];
  /** Files that were given but could not be opened. */
  readonly failures: readonly { readonly name: string; readonly error: string }[];
}

/** From and to, in seconds of the take's own time. */
export type Span = readonly [number, number];

export interface RecordingInfo {
  readonly id: number;
  /** Counts changes of anything. */
  readonly revision: number;
  /** Counts changes of curves: what the tape of this number holds does not change. */
  readonly tapeRevision: number;
  /** The file's name, without its folder. */
  readonly name: string;
  readonly origin: "file" | "recorded" | "upload" | "preview" | "demo";
  /** The take that a preview would replace. */
  readonly previewOf: number | null;
  /** In words: "MRTK input animation, version 1.1, compact keys". */
  readonly format: string;
  readonly bytes: number;
  readonly keyCount: number;
  readonly durationSecs: number;
  readonly channels: { readonly camera: boolean; readonly hands: boolean; readonly gaze: boolean };
  readonly markers: readonly MarkerInfo[];
  readonly left: HandInfo;
  readonly right: HandInfo;
  /** Spans in which the eyes rested. */
  readonly fixations: readonly Span[];
  readonly findings: readonly Finding[];
  /** What a foreign file had that a recording has no place for, in words. */
  readonly losses: readonly string[];
  /** Whether there are changes that are not saved. */
  readonly modified: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

export interface MarkerInfo {
  readonly time: number;
  readonly name: string;
}

export interface HandInfo {
  readonly tracked: readonly Span[];
  readonly pinching: readonly Span[];
}

export interface Finding {
  /** `rotation-w-lost`, as `holotape check` prints it. */
  readonly code: string;
  readonly severity: "error" | "warning" | "note";
  readonly message: string;
  /** The curve, channel or joint that it is about: `left.IndexTip.rotation.w`, `left.IndexTip`, `camera`. */
  readonly place: string | null;
  /** The first and the last time at which it was seen. */
  readonly spanSecs: Span | null;
  /** What to do about it. */
  readonly help: string | null;
  readonly mendable: boolean;
}

/** One change; the body of `POST /api/takes/{id}/edit`. */
export type Edit =
  | { readonly op: "trim"; readonly from: number; readonly to: number }
  | { readonly op: "addMarker"; readonly time: number; readonly name: string }
  | { readonly op: "moveMarker"; readonly index: number; readonly time: number }
  | { readonly op: "renameMarker"; readonly index: number; readonly name: string }
  | { readonly op: "removeMarker"; readonly index: number }
  | { readonly op: "accept"; readonly preview: number }
  | { readonly op: "undo" }
  | { readonly op: "redo" };

/** What to try out beside the take; the body of `POST /api/takes/{id}/preview`. */
export type PreviewRequest =
  | { readonly what: "repair" }
  | { readonly what: "optimize"; readonly positionMm: number; readonly angleDeg: number };

export interface Preview {
  readonly take: RecordingInfo;
  /** What was done, in words. */
  readonly report: readonly string[];
}

export interface SaveResult {
  readonly path: string;
  readonly losses: readonly string[];
}

export type DownloadFormat = "bin" | "glb" | "csv";

/** The body of every answer that is no success. */
export interface ApiError {
  readonly error: string;
}
