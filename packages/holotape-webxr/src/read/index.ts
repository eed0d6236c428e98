/** Recordings from the bytes of a `.bin` file of any version (docs/format.md). */

import type { RecordingCurves } from "../../../../web/src/recording/decode";
import type { Channels } from "./curves";
import { decode, durationOf } from "./decode";
import { RecordingError } from "./error";
import { describe, MAGIC } from "./sniff";
import {
  COMPACT_KEY_BYTES,
  FULL_KEY_BYTES,
  plausibleHeaders,
  type RecordedMarker,
  Walker,
  type WalkResult,
  walk,
} from "./walk";

/** More than hours of two hands; a page would have to hold it twice. */
const MAX_FILE_BYTES = 256 << 20;
const HEADER_BYTES = 16;
const CHANNELS_OF_1_0: Channels = { camera: true, hands: true, gaze: false };

export interface Recording {
  readonly minorVersion: 0 | 1;
  readonly keys: "full" | "compact";
  readonly curves: RecordingCurves;
  readonly durationSecs: number;
  readonly markers: readonly RecordedMarker[];
  readonly hasMarkerList: boolean;
}

/** The name is that of the file, for messages. */
export function readRecording(bytes: Uint8Array, name?: string): Recording {
  requireHeader(bytes, name);
  const header = new Walker(bytes, MAGIC.length);
  const [major, minor] = [header.int("header"), header.int("header")];
  if (major !== 1 || (minor !== 0 && minor !== 1)) {
    const words = `this is an input animation of version ${major}.${minor}; only 1.0 and 1.1 are known`;
    throw new RecordingError("unsupportedVersion", words, MAGIC.length, "header");
  }
  const channels = minor === 0 ? CHANNELS_OF_1_0 : channelsOf(header);
  const bodyAt = minor === 0 ? HEADER_BYTES : HEADER_BYTES + 3;
  const full = walk(bytes, bodyAt, channels, FULL_KEY_BYTES);
  const walked = minor === 0 ? full : chooseLayout(walk(bytes, bodyAt, channels, COMPACT_KEY_BYTES), full);
  if (walked.fault !== null) {
    throw walked.fault;
  }
  return {
    minorVersion: minor,
    keys: walked === full ? "full" : "compact",
    curves: decode(bytes, channels, walked.curves),
    durationSecs: durationOf(bytes, walked.curves),
    markers: walked.markers ?? [],
    hasMarkerList: walked.markers !== null,
  };
}

function requireHeader(bytes: Uint8Array, name: string | undefined): void {
  if (bytes.length > MAX_FILE_BYTES) {
    const words = `a recording of ${bytes.length} bytes is more than a page can hold: ${MAX_FILE_BYTES} are the most; \`holotape optimize\` leaves out keys that are not needed, \`holotape trim\` cuts`;
    throw new RecordingError("limitExceeded", words, MAX_FILE_BYTES, "end");
  }
  if (bytes.length === 0) {
    throw new RecordingError("truncated", "the file is empty", 0, "header");
  }
  if (!MAGIC.every((byte, index) => index >= bytes.length || bytes[index] === byte)) {
    throw new RecordingError("notARecording", `not an input animation: ${describe(bytes, name)}`, 0, "header");
  }
  if (bytes.length < HEADER_BYTES) {
    const words = `the file ends too early: a header of ${HEADER_BYTES} bytes should follow, but ${HEADER_BYTES - bytes.length} of that are missing`;
    throw new RecordingError("truncated", words, bytes.length, "header");
  }
}

function channelsOf(header: Walker): Channels {
  return { camera: header.flag("camera pose"), hands: header.flag("hand data"), gaze: header.flag("eye gaze") };
}

/** Nothing in the header of a 1.1 file says how long its keys are (docs/format.md, "Which layout a 1.1 file has"). */
function chooseLayout(compact: WalkResult, full: WalkResult): WalkResult {
  if ((compact.fault === null) !== (full.fault === null)) {
    return compact.fault === null ? compact : full;
  }
  return plausibleHeaders(compact) >= plausibleHeaders(full) ? compact : full;
}
