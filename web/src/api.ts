/** The JSON types of the viewer API. `docs/viewer.md` describes the routes. */

export interface ViewerState {
  /** The version of the program. */
  readonly version: string;
  /** Whether recordings can be edited and saved. */
  readonly edit: boolean;
  /** Whether takes can be recorded and watched. */
  readonly live: boolean;
  /** The folder for recorded takes; `null` if recording is disabled. */
  readonly takesFolder: string | null;
  readonly uploadLimitBytes: number;
  readonly takes: readonly RecordingInfo[];
  /** Files that could not be opened. */
  readonly failures: readonly { readonly name: string; readonly error: string }[];
}

/** Start and end in seconds of the recording's own time. */
export type Span = readonly [number, number];

export interface RecordingInfo {
  readonly id: number;
  /** Increases with every change. */
  readonly revision: number;
  /** Increases with every change of the curves. */
  readonly tapeRevision: number;
  /** The file name without its folder. */
  readonly name: string;
  readonly origin: "file" | "recorded" | "upload" | "preview" | "demo";
  /** The recording that a preview belongs to. */
  readonly previewOf: number | null;
  /** For people: "MRTK input animation, version 1.1, compact keys". */
  readonly format: string;
  readonly bytes: number;
  readonly keyCount: number;
  readonly durationSecs: number;
  readonly channels: { readonly camera: boolean; readonly hands: boolean; readonly gaze: boolean };
  readonly markers: readonly MarkerInfo[];
  readonly left: HandInfo;
  readonly right: HandInfo;
  readonly fixations: readonly Span[];
  readonly findings: readonly Finding[];
  /** Messages about data that the conversion could not represent. */
  readonly losses: readonly string[];
  /** Whether there are unsaved changes. */
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
  /** A finding code such as `rotation-w-lost`, as printed by `holotape check`. */
  readonly code: string;
  readonly severity: "error" | "warning" | "note";
  readonly message: string;
  /** The curve, channel or joint: `left.IndexTip.rotation.w`, `left.IndexTip`, `camera`. */
  readonly place: string | null;
  /** The first and last time at which the problem occurs. */
  readonly spanSecs: Span | null;
  /** What the user can do about it. */
  readonly help: string | null;
  readonly mendable: boolean;
}

/** The body of `POST /api/takes/{id}/edit`. */
export type Edit =
  | { readonly op: "trim"; readonly from: number; readonly to: number }
  | { readonly op: "addMarker"; readonly time: number; readonly name: string }
  | { readonly op: "moveMarker"; readonly index: number; readonly time: number }
  | { readonly op: "renameMarker"; readonly index: number; readonly name: string }
  | { readonly op: "removeMarker"; readonly index: number }
  | { readonly op: "accept"; readonly preview: number }
  | { readonly op: "undo" }
  | { readonly op: "redo" };

/** The body of `POST /api/takes/{id}/preview`. */
export type PreviewRequest =
  | { readonly what: "repair" }
  | { readonly what: "optimize"; readonly positionMm: number; readonly angleDeg: number };

export interface Preview {
  readonly take: RecordingInfo;
  /** Messages about what was changed. */
  readonly report: readonly string[];
}

export interface SaveResult {
  readonly path: string;
  readonly losses: readonly string[];
}

export type DownloadFormat = "bin" | "glb" | "csv";

/** The body of every error response. */
export interface ApiError {
  readonly error: string;
}
