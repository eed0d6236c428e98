/**
 * One pass over the structure of a file under one assumption about its keys. Every count is compared with what is left of the file before
 * anything is done about it.
 */

import { type Channels, curveNames, isFlag, spacedName } from "./curves";
import { RecordingError } from "./error";

export const FLAG_KEY_BYTES = 8;
export const COMPACT_KEY_BYTES = 8;
export const FULL_KEY_BYTES = 28;
/** A marker's time, and the length of a name that is empty. */
const LEAST_MARKER_BYTES = 5;
const HEADER_BYTES = 16;
/** A wrap mode that all files seen so far have in both places: a walk under the wrong assumption finds few of them. */
const CLAMP_FOREVER = 8;
const MOST_IN_32_BITS = 0x7fff_ffff;

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

/** The curves that made sense, and what came behind them: markers, nothing where there is no list, or the fault. */
export interface WalkResult {
  readonly curves: readonly CurveSpan[];
  readonly markers: readonly RecordedMarker[] | null;
  readonly fault: RecordingError | null;
}

/** The rest of a file behind its flags. */
export function walk(bytes: Uint8Array, from: number, channels: Channels, floatKeyBytes: number): WalkResult {
  const walker = new Walker(bytes, from);
  const curves: CurveSpan[] = [];
  try {
    for (const name of curveNames(channels)) {
      curves.push(walker.curve(name, isFlag(name) ? FLAG_KEY_BYTES : floatKeyBytes));
    }
    return { curves, markers: walker.tail(), fault: null };
  } catch (error) {
    if (error instanceof RecordingError) {
      return { curves, markers: null, fault: error };
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

  int(place: string): number {
    const at = this.advance(4, place, "4 bytes");
    return this.view.getInt32(at, true);
  }

  flag(what: string): boolean {
    const value = this.byte("channel flags");
    if (value > 1) {
      const words = `the flag for ${what} is ${value}, neither 0 nor 1`;
      throw new RecordingError("invalid", words, this.at - 1, "channel flags");
    }
    return value === 1;
  }

  curve(name: string, keyBytes: number): CurveSpan {
    const place = spacedName(name);
    const headerAt = this.advance(12, place, "12 bytes");
    const header = [0, 4, 8].map((offset) => this.view.getInt32(headerAt + offset, true));
    const [preWrap, postWrap, keyCount] = header as [number, number, number];
    if (keyCount < 0) {
      const words = `a key count of ${keyCount}: the file is damaged, or no input animation that is known`;
      throw new RecordingError("invalid", words, headerAt + 8, place);
    }
    const lastKey = Math.floor((this.bytes.length - this.at) / keyBytes);
    const promised = `${keyCount} keys (by the count at byte ${headerAt + 8})`;
    const keysAt = this.advance(keyCount * keyBytes, `${place}, key ${lastKey}`, promised);
    return { name, preWrap, postWrap, keyCount, keyBytes, keysAt };
  }

  /** Nothing, or a marker list; and then the end. */
  tail(): RecordedMarker[] | null {
    if (this.at === this.bytes.length) {
      return null;
    }
    const markers = this.markers();
    const extra = this.bytes.length - this.at;
    if (extra > 0) {
      const words = `${extra} more byte${extra === 1 ? "" : "s"} where the file should end: something was appended, or another program added a section of its own`;
      throw new RecordingError("invalid", words, this.at, "end");
    }
    return markers;
  }

  private markers(): RecordedMarker[] {
    const at = this.at;
    const count = this.int("marker list");
    if (count < 0) {
      throw new RecordingError("invalid", `a marker count of ${count}`, at, "marker list");
    }
    this.require(count * LEAST_MARKER_BYTES, "marker list", `${count} markers (by the count at byte ${at})`);
    return Array.from({ length: count }, (_, index) => this.marker(`marker ${index}`));
  }

  private marker(place: string): RecordedMarker {
    this.require(LEAST_MARKER_BYTES, place, `${LEAST_MARKER_BYTES} bytes`);
    const time = this.view.getFloat32(this.advance(4, place, "4 bytes"), true);
    const length = this.stringLength(place);
    const at = this.advance(length, place, `a name of ${length} bytes`);
    return { time, name: this.text(at, length, place) };
  }

  /** As .NET writes it: seven bits a byte, lowest first, the top bit set on all but the last. */
  private stringLength(place: string): number {
    const at = this.at;
    let length = 0;
    for (let index = 0; index < 5; index++) {
      const byte = this.byte(place);
      length += (byte & 0x7f) * 2 ** (7 * index);
      if (byte === 0 && index > 0) {
        throw new RecordingError("invalid", "a marker's name length is padded with zeros", at, place);
      }
      if (byte < 0x80 && length <= MOST_IN_32_BITS) {
        return length;
      }
    }
    throw new RecordingError("invalid", "a marker's name length does not fit 32 bits", at, place);
  }

  private text(at: number, length: number, place: string): string {
    const raw = this.bytes.subarray(at, at + length);
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(raw);
    } catch {
      throw new RecordingError("invalid", "a marker's name is not UTF-8", at + validUpTo(raw), place);
    }
  }

  private byte(place: string): number {
    return this.view.getUint8(this.advance(1, place, "1 byte"));
  }

  /** Steps over so many bytes and gives where they begin. */
  private advance(needed: number, place: string, promised: string): number {
    this.require(needed, place, promised);
    this.at += needed;
    return this.at - needed;
  }

  private require(needed: number, place: string, promised: string): void {
    const missing = needed - (this.bytes.length - this.at);
    if (missing > 0) {
      // What is more than the whole file was hardly ever written: it is read from damaged bytes.
      const orDamaged = needed > Math.max(this.bytes.length, HEADER_BYTES) ? " or is damaged" : "";
      const lacks = missing === 1 ? "1 byte of that is missing" : `${missing} bytes of that are missing`;
      const words = `the file ends too early${orDamaged}: ${promised} should follow, but ${lacks}`;
      throw new RecordingError("truncated", words, this.bytes.length, place);
    }
  }
}

/** How many bytes are UTF-8: up to the first letter that changes when read leniently and written again. */
function validUpTo(raw: Uint8Array): number {
  const again = new TextEncoder().encode(new TextDecoder("utf-8", { ignoreBOM: true }).decode(raw));
  let at = raw.findIndex((byte, index) => byte !== again[index]);
  while (at > 0 && ((again[at] ?? 0) & 0xc0) === 0x80) {
    at--;
  }
  return Math.max(at, 0);
}
