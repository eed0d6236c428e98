/** Reads `.bin` files of all versions (docs/format.md). */

import type { RecordingCurves } from "../../../../web/src/recording/decode";
import type { Channels } from "./curves";
import { decode, durationOf } from "./decode";
import { RecordingError } from "./error";
import { describeFile, MAGIC } from "./sniff";
import {
  COMPACT_KEY_BYTES,
  FULL_KEY_BYTES,
  plausibleHeaders,
  type RecordedMarker,
  Walker,
  type WalkResult,
  walk,
} from "./walk";

/** Several hours of two hands. A page holds the recording twice. */
export const MAX_FILE_BYTES = 256 << 20;
const HEADER_BYTES = 16;
const CHANNELS_OF_1_0: Channels = { camera: true, hands: true, gaze: false };

export interface Recording {
  readonly minorVersion: 0 | 1;
  readonly keyLayout: "full" | "compact";
  readonly curves: RecordingCurves;
  readonly durationSecs: number;
  readonly markers: readonly RecordedMarker[];
  readonly hasMarkerList: boolean;
}

export async function download(address: string | URL): Promise<ArrayBuffer> {
  const response = await fetch(address);
  if (!response.ok) {
    throw new Error(`${address}: download failed with status ${response.status} ${response.statusText}`);
  }
  return response.arrayBuffer();
}

/** `name` is the file name, for messages. */
export function readRecording(bytes: Uint8Array, name?: string): Recording {
  requireHeader(bytes, name);
  const header = new Walker(bytes, MAGIC.length);
  const [major, minor] = [header.int("header"), header.int("header")];
  if (major !== 1 || (minor !== 0 && minor !== 1)) {
    const message = `unsupported version: ${major}.${minor}; only 1.0 and 1.1 are supported`;
    throw new RecordingError("unsupported-version", message, MAGIC.length, "header");
  }
  const channels = minor === 0 ? CHANNELS_OF_1_0 : channelsOf(header);
  const bodyAt = minor === 0 ? HEADER_BYTES : HEADER_BYTES + 3;
  const full = walk(bytes, bodyAt, channels, FULL_KEY_BYTES);
  const walked = minor === 0 ? full : chooseLayout(walk(bytes, bodyAt, channels, COMPACT_KEY_BYTES), full);
  if (walked.error !== null) {
    throw walked.error;
  }
  return {
    minorVersion: minor,
    keyLayout: walked === full ? "full" : "compact",
    curves: decode(bytes, channels, walked.curves),
    durationSecs: durationOf(bytes, walked.curves),
    markers: walked.markers ?? [],
    hasMarkerList: walked.markers !== null,
  };
}

function requireHeader(bytes: Uint8Array, name: string | undefined): void {
  if (bytes.length > MAX_FILE_BYTES) {
    const message = `file is too large: ${bytes.length} bytes, at most ${MAX_FILE_BYTES}; reduce it with \`holotape optimize\` or \`holotape trim\``;
    throw new RecordingError("limit-exceeded", message, MAX_FILE_BYTES, "end");
  }
  if (bytes.length === 0) {
    throw new RecordingError("truncated", "the file is empty", 0, "header");
  }
  if (!MAGIC.every((byte, index) => index >= bytes.length || bytes[index] === byte)) {
    throw new RecordingError("not-a-recording", `not an input animation: ${describeFile(bytes, name)}`, 0, "header");
  }
  if (bytes.length < HEADER_BYTES) {
    const message = `truncated file: expected a header of ${HEADER_BYTES} bytes, ${HEADER_BYTES - bytes.length} are missing`;
    throw new RecordingError("truncated", message, bytes.length, "header");
  }
}

function channelsOf(header: Walker): Channels {
  return { camera: header.flag("camera pose"), hands: header.flag("hand data"), gaze: header.flag("eye gaze") };
}

/** The header of a 1.1 file does not contain its key layout (docs/format.md, "Which layout a 1.1 file has"). */
function chooseLayout(compact: WalkResult, full: WalkResult): WalkResult {
  if ((compact.error === null) !== (full.error === null)) {
    return compact.error === null ? compact : full;
  }
  return plausibleHeaders(compact) >= plausibleHeaders(full) ? compact : full;
}
