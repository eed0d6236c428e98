// Generated from the Rust types by `cargo xtask generate`. Do not edit.

/** Body of every error response. */
export interface ApiError {
  readonly message: string;
}

/** Channels that a recording contains. */
export interface ChannelFlags {
  readonly camera: boolean;
  readonly gaze: boolean;
  readonly hands: boolean;
}

/** A message of a client that is not a record. */
export type ClientMessage = {
  /** The number of its records that the client has seen acknowledged; 0 for a new take. */
  readonly acked_records: number;
  /** The requested name of the recording. */
  readonly name?: string | null;
  /** The take. */
  readonly take_id: TakeId;
  readonly type: "hello";
} | {
  readonly type: "stop";
} | {
  readonly type: "discard";
};

export type CurveKind = "linear" | "bezier" | "bool";

export interface CurvePackHeader {
  readonly channels: ChannelFlags;
  /** Curves with at least one key, in the order of the file. */
  readonly curves: readonly PackedCurveHeader[];
  readonly duration_secs: number;
  /** Length of each time array. */
  readonly time_counts: readonly number[];
}

export type DownloadFormat = "bin" | "glb" | "csv";

/** One edit of a recording. */
export type Edit = {
  readonly from: number;
  readonly op: "trim";
  readonly to: number;
} | {
  readonly name: string;
  readonly op: "add-marker";
  readonly time: number;
} | {
  readonly index: number;
  readonly op: "move-marker";
  readonly time: number;
} | {
  readonly index: number;
  readonly name: string;
  readonly op: "rename-marker";
} | {
  readonly index: number;
  readonly op: "remove-marker";
} | {
  readonly op: "accept";
  readonly preview: number;
} | {
  readonly op: "undo";
} | {
  readonly op: "redo";
};

/** The reason of an error, for programs. */
export type ErrorCode = "unknown-take" | "missing-records" | "busy" | "invalid-message" | "save-failed";

/** A file that could not be opened. */
export interface FailureInfo {
  readonly message: string;
  /** File name without the directory. */
  readonly name: string;
}

/** A problem that `holotape check` reports. */
export interface FindingInfo {
  /** What to do about it. */
  readonly advice: string;
  readonly code: string;
  readonly message: string;
  readonly repairable: boolean;
  readonly severity: "error" | "warning" | "note";
  /** First and last time at which the problem occurs. */
  readonly span_secs: readonly [number, number] | null;
  /** Curve, joint or channel that the finding is about: `left.IndexTip.rotation.w`, `left.IndexTip`, `camera`. */
  readonly subject: string | null;
}

/** Spans in which the flags of a hand are set, and figures about all of them. */
export interface HandInfo {
  readonly pinch_count: number;
  /** Empty if there are too many to draw. */
  readonly pinching: readonly (readonly [number, number])[];
  /** Empty if there are too many to draw. */
  readonly tracked: readonly (readonly [number, number])[];
  readonly tracked_secs: number;
  /** How often tracking ended before the recording did. */
  readonly tracking_loss_count: number;
}

/** A message to a page that lists live takes. */
export type LiveMessage = {
  readonly takes: readonly LiveTakeInfo[];
  readonly type: "live";
} | {
  readonly name: string;
  readonly recording_id: number | null;
  readonly take_id: TakeId;
  readonly type: "saved";
};

/** A take in the list of live takes. */
export interface LiveTakeInfo {
  readonly duration_secs: number;
  readonly frame_count: number;
  readonly is_connected: boolean;
  /** Empty until the take has started. */
  readonly name: string;
  readonly take_id: TakeId;
}

export interface MarkerInfo {
  readonly name: string;
  readonly time: number;
}

/** Source of an open recording. */
export type Origin = "file" | "recorded" | "upload" | "preview" | "demo";

export interface PackedCurveHeader {
  readonly kind: CurveKind;
  readonly name: string;
  readonly post_wrap: number;
  readonly pre_wrap: number;
  /** Index of the time array. */
  readonly times: number;
}

/** Response of `POST /api/recordings/ID/preview`. */
export interface Preview {
  readonly recording: RecordingInfo;
  /** What the operation changed, one message per line. */
  readonly report: readonly string[];
}

/** Body of `POST /api/recordings/ID/preview`. */
export type PreviewRequest = {
  readonly op: "repair";
} | {
  readonly op: "optimize";
  readonly position_m: number;
  readonly rotation_deg: number;
};

/** An open recording. */
export interface RecordingInfo {
  readonly can_redo: boolean;
  readonly can_undo: boolean;
  readonly channels: ChannelFlags;
  /** Identifies the curves: stays the same if only markers change, and returns to its earlier value on undo. */
  readonly curves_revision: number;
  readonly duration_secs: number;
  readonly file_bytes: number;
  readonly findings: readonly FindingInfo[];
  /** Missing if the recording is too long for gaze analysis. */
  readonly fixation_count: number | null;
  /** Spans of gaze fixations; empty if there are too many to draw. */
  readonly fixations: readonly (readonly [number, number])[];
  /** Human-readable format: "MRTK input animation, version 1.1, compact keys". */
  readonly format: string;
  /** Whether there are so many keys that the page first loads an overview. */
  readonly has_overview: boolean;
  readonly id: number;
  readonly key_count: number;
  readonly left: HandInfo;
  /** Data of the imported file that a recording cannot represent. */
  readonly losses: readonly string[];
  readonly markers: readonly MarkerInfo[];
  /** Whether there are unsaved changes. */
  readonly modified: boolean;
  /** File name without the directory. */
  readonly name: string;
  readonly origin: Origin;
  /** ID of the recording that this preview would replace. */
  readonly preview_of: number | null;
  /** Increases with every change. */
  readonly revision: number;
  readonly right: HandInfo;
}

/** Body of `POST /api/recordings/ID/save`. */
export interface SaveRequest {
  readonly name: string;
  /** Whether to overwrite an existing file. */
  readonly replace?: boolean;
  /** Fails if the recording has another revision. */
  readonly revision?: number | null;
}

/** Response of `POST /api/recordings/ID/save`. */
export interface SaveResult {
  /** Data that the file format cannot represent. */
  readonly losses: readonly string[];
  readonly path: string;
}

/** A take that was saved as a recording. */
export interface SavedTake {
  /** The duration, in seconds. */
  readonly duration_secs: number;
  /** The number of frames. */
  readonly frame_count: number;
  /** Descriptions of data that was dropped. */
  readonly losses: readonly string[];
  /** The number of markers. */
  readonly marker_count: number;
  /** The file name of the recording. */
  readonly name: string;
  /** The id of the recording in the viewer, if it is open there. */
  readonly recording_id?: number | null;
  /** The take. */
  readonly take_id: TakeId;
}

/** A message of the server. */
export type ServerMessage = {
  /** The file name of the future recording. */
  readonly name: string;
  /** The number of records that the server has. */
  readonly record_count: number;
  /** The take. */
  readonly take_id: TakeId;
  readonly type: "ready";
} | {
  /** Their number, from the start of the take. */
  readonly record_count: number;
  readonly type: "ack";
} | {
  /** What happened. */
  readonly message: string;
  readonly type: "warning";
} | SavedTake & {
  readonly type: "saved";
} | {
  /** The take. */
  readonly take_id: TakeId;
  readonly type: "discarded";
} | {
  /** The reason, for programs. */
  readonly code: ErrorCode;
  /** The reason, for people. */
  readonly message: string;
  readonly type: "error";
};

/** The id of a take, chosen by the client: 16 to 64 letters and digits. A client that reconnects sends the same id. */
export type TakeId = string;

/** Response of `GET /api/state`. */
export interface ViewerState {
  /** Whether recordings may be edited and saved. */
  readonly can_edit: boolean;
  /** Whether live takes can be recorded and watched. */
  readonly can_record: boolean;
  /** Files that could not be opened. */
  readonly failures: readonly FailureInfo[];
  /** Directory in which live takes are saved. */
  readonly record_dir: string | null;
  /** All open recordings. */
  readonly recordings: readonly RecordingInfo[];
  /** Maximum size of an uploaded file. */
  readonly upload_limit_bytes: number;
  /** Version of holotape. */
  readonly version: string;
}

/** Types that `schemas.ts` describes, by name. */
export interface Responses {
  readonly ApiError: ApiError;
  readonly ChannelFlags: ChannelFlags;
  readonly CurveKind: CurveKind;
  readonly CurvePackHeader: CurvePackHeader;
  readonly ErrorCode: ErrorCode;
  readonly FailureInfo: FailureInfo;
  readonly FindingInfo: FindingInfo;
  readonly HandInfo: HandInfo;
  readonly LiveMessage: LiveMessage;
  readonly LiveTakeInfo: LiveTakeInfo;
  readonly MarkerInfo: MarkerInfo;
  readonly Origin: Origin;
  readonly PackedCurveHeader: PackedCurveHeader;
  readonly Preview: Preview;
  readonly RecordingInfo: RecordingInfo;
  readonly SaveResult: SaveResult;
  readonly SavedTake: SavedTake;
  readonly ServerMessage: ServerMessage;
  readonly TakeId: TakeId;
  readonly ViewerState: ViewerState;
}
