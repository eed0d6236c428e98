/**
 * One pass over the structure of a file with an assumed key layout. Every count is checked against the rest of the file before it is used.
 */

import { type Channels, curveNames, isFlag, spacedName } from "./curves";
import { RecordingError } from "./error";

export const FLAG_KEY_BYTES = 8;
export const COMPACT_KEY_BYTES = 8;
export const FULL_KEY_BYTES = 28;
/** A marker's time, and the length of an empty name. */
const MIN_MARKER_BYTES = 5;
const HEADER_BYTES = 16;
/** The wrap mode of all known files: a walk with the wrong layout finds few of them. */
const CLAMP_FOREVER = 8;
const MAX_INT_32 = 0x7fff_ffff;

export interface CurveSpan {
  readonly name: string;
  readonly preWrap: number;
  readonly postWrap: number;
  readonly keyCount: number;
  readonly keyBytes: number;
  readonly keysAt: number;
}

export interface RecordedMarker {
  readonly time: number;
  readonly name: string;
}

/** The curves up to the first error, and the markers; `null` without a marker list. */
export interface WalkResult {
  readonly curves: readonly CurveSpan[];
  readonly markers: readonly RecordedMarker[] | null;
  readonly error: RecordingError | null;
}

/** Walks the part of a file after its flags. */
export function walk(bytes: Uint8Array, from: number, channels: Channels, floatKeyBytes: number): WalkResult {
  const walker = new Walker(bytes, from);
  const curves: CurveSpan[] = [];
  try {
    for (const name of curveNames(channels)) {
      curves.push(walker.curve(name, isFlag(name) ? FLAG_KEY_BYTES : floatKeyBytes));
    }
    return { curves, markers: walker.tail(), error: null };
  } catch (error) {
    if (error instanceof RecordingError) {
      return { curves, markers: null, error };
    }
    throw error;
  }
}

export function plausibleHeaders({ curves }: WalkResult): number {
  return curves.filter(({ preWrap, postWrap }) => preWrap === CLAMP_FOREVER && postWrap === CLAMP_FOREVER).length;
}

export class Walker {
  private readonly view: DataView;

  constructor(
    private readonly bytes: Uint8Array,
    private at: number,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  int(location: string): number {
    const at = this.advance(4, location, "4 bytes");
    return this.view.getInt32(at, true);
  }

  flag(flagName: string): boolean {
    const value = this.byte("channel flags");
    if (value > 1) {
      const message = `invalid flag for ${flagName}: ${value}; must be 0 or 1`;
      throw new RecordingError("invalid", message, this.at - 1, "channel flags");
    }
    return value === 1;
  }

  curve(name: string, keyBytes: number): CurveSpan {
    const location = spacedName(name);
    const headerAt = this.advance(12, location, "12 bytes");
    const header = [0, 4, 8].map((offset) => this.view.getInt32(headerAt + offset, true));
    const [preWrap, postWrap, keyCount] = header as [number, number, number];
    if (keyCount < 0) {
      const message = `invalid key count: ${keyCount}; the file is damaged or of an unknown layout`;
      throw new RecordingError("invalid", message, headerAt + 8, location);
    }
    const lastKey = Math.floor((this.bytes.length - this.at) / keyBytes);
    const description = `${keyCount} keys (count at byte ${headerAt + 8})`;
    const keysAt = this.advance(keyCount * keyBytes, `${location}, key ${lastKey}`, description);
    return { name, preWrap, postWrap, keyCount, keyBytes, keysAt };
  }

  /** An optional marker list, then the end of the file. */
  tail(): RecordedMarker[] | null {
    if (this.at === this.bytes.length) {
      return null;
    }
    const markers = this.markers();
    const extra = this.bytes.length - this.at;
    if (extra > 0) {
      const message = `${extra} unexpected byte${extra === 1 ? "" : "s"} after the end; something was appended to the file`;
      throw new RecordingError("invalid", message, this.at, "end");
    }
    return markers;
  }

  private markers(): RecordedMarker[] {
    const at = this.at;
    const count = this.int("marker list");
    if (count < 0) {
      throw new RecordingError("invalid", `invalid marker count: ${count}`, at, "marker list");
    }
    this.require(count * MIN_MARKER_BYTES, "marker list", `${count} markers (count at byte ${at})`);
    return Array.from({ length: count }, (_, index) => this.marker(`marker ${index}`));
  }

  private marker(location: string): RecordedMarker {
    this.require(MIN_MARKER_BYTES, location, `${MIN_MARKER_BYTES} bytes`);
    const time = this.view.getFloat32(this.advance(4, location, "4 bytes"), true);
    const length = this.stringLength(location);
    const at = this.advance(length, location, `a name of ${length} bytes`);
    return { time, name: this.text(at, length, location) };
  }

  /** The .NET encoding: seven bits per byte, lowest first, the top bit set on all but the last. */
  private stringLength(location: string): number {
    const at = this.at;
    let length = 0;
    for (let index = 0; index < 5; index++) {
      const byte = this.byte(location);
      length += (byte & 0x7f) * 2 ** (7 * index);
      if (byte === 0 && index > 0) {
        throw new RecordingError("invalid", "invalid name length: padded with zeros", at, location);
      }
      if (byte < 0x80 && length <= MAX_INT_32) {
        return length;
      }
    }
    throw new RecordingError("invalid", "invalid name length: exceeds 32 bits", at, location);
  }

  private text(at: number, length: number, location: string): string {
    const raw = this.bytes.subarray(at, at + length);
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(raw);
    } catch {
      throw new RecordingError("invalid", "invalid marker name: not UTF-8", at + validUpTo(raw), location);
    }
  }

  private byte(location: string): number {
    return this.view.getUint8(this.advance(1, location, "1 byte"));
  }

  /** Skips bytes. Returns their offset. */
  private advance(needed: number, location: string, description: string): number {
    this.require(needed, location, description);
    this.at += needed;
    return this.at - needed;
  }

  private require(needed: number, location: string, description: string): void {
    const missing = needed - (this.bytes.length - this.at);
    if (missing > 0) {
      // A size larger than the file usually comes from damaged bytes.
      const orDamaged = needed > Math.max(this.bytes.length, HEADER_BYTES) ? " or damaged" : "";
      const missingText = missing === 1 ? "1 byte is missing" : `${missing} bytes are missing`;
      const message = `truncated${orDamaged} file: expected ${description}, ${missingText}`;
      throw new RecordingError("truncated", message, this.bytes.length, location);
    }
  }
}

/** The length of the valid UTF-8 prefix: up to the first byte that changes when decoded leniently and encoded again. */
function validUpTo(raw: Uint8Array): number {
  const reencoded = new TextEncoder().encode(new TextDecoder("utf-8", { ignoreBOM: true }).decode(raw));
  let at = raw.findIndex((byte, index) => byte !== reencoded[index]);
  while (at > 0 && ((reencoded[at] ?? 0) & 0xc0) === 0x80) {
    at--;
  }
  return Math.max(at, 0);
}
