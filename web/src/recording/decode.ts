/**
 * Decodes curve packs: the curves of a recording as sent by the server and embedded in exported pages.
 *
 * A pack is "HTP1", the length of a JSON header, the header, and arrays: the times of each time list, then for each curve its values and,
 * for Bézier curves, tangents, weights and modes. The viewer crate writes it.
 */

import type { ChannelFlags, CurveKind } from "../api";
import { validate } from "../validate";
import { nextMacrotask } from "./macrotask";

/** Unity's wrap modes that repeat outside the keys; all others clamp. */
export const WRAP_LOOP = 2;
export const WRAP_PING_PONG = 4;

export interface Curve {
  readonly name: string;
  readonly kind: CurveKind;
  readonly preWrap: number;
  readonly postWrap: number;
  /** In ascending order. Curves with the same times share one array. */
  readonly times: Float32Array;
  readonly values: Float32Array;
  readonly bezier: BezierKeys | null;
}

export interface BezierKeys {
  readonly inTangents: Float32Array;
  readonly outTangents: Float32Array;
  readonly inWeights: Float32Array;
  readonly outWeights: Float32Array;
  /** 1 if the in-tangent is weighted, 2 if the out-tangent is, 3 for both. */
  readonly weightedModes: Int32Array;
}

export interface RecordingCurves {
  readonly channels: ChannelFlags;
  /** Curves with keys, in the order of the file. */
  readonly curves: readonly Curve[];
  readonly byName: ReadonlyMap<string, Curve>;
}

const MAGIC = "HTP1";
/** Longer work without a pause would freeze the page. */
const MAX_WORK_MS = 30;

/** `onProgress` gets the fraction that is decoded. */
export async function decodeCurvePack(
  bytes: Uint8Array,
  onProgress: (fraction: number) => void = () => {},
): Promise<RecordingCurves> {
  const text = new TextDecoder();
  if (bytes.length < 8 || text.decode(bytes.subarray(0, 4)) !== MAGIC) {
    throw new Error("invalid curve pack: wrong magic number");
  }
  const headerLength = new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true);
  const header = validate("CurvePackHeader", JSON.parse(text.decode(bytes.subarray(8, 8 + headerLength))));
  const arrays = new ArrayReader(bytes, 8 + headerLength);
  const timeArrays = header.time_counts.map((count) => arrays.floats(count));
  const curves: Curve[] = [];
  let pausedMs = performance.now();
  for (const { name, kind, pre_wrap, post_wrap, times: index } of header.curves) {
    if (performance.now() - pausedMs > MAX_WORK_MS) {
      onProgress(curves.length / header.curves.length);
      await nextMacrotask();
      pausedMs = performance.now();
    }
    const times = timeArrays[index] ?? new Float32Array();
    const values = arrays.floats(times.length);
    const bezier = kind === "bezier" ? arrays.bezier(times.length) : null;
    curves.push({ name, kind, preWrap: pre_wrap, postWrap: post_wrap, times, values, bezier });
  }
  const byName = new Map(curves.map((curve) => [curve.name, curve]));
  return { channels: header.channels, curves, byName };
}

class ArrayReader {
  constructor(
    private readonly bytes: Uint8Array,
    private offset: number,
  ) {}

  floats(count: number): Float32Array {
    return new Float32Array(this.readDeltaWords(count).buffer);
  }

  bezier(count: number): BezierKeys {
    return {
      inTangents: this.floats(count),
      outTangents: this.floats(count),
      inWeights: this.floats(count),
      outWeights: this.floats(count),
      weightedModes: new Int32Array(this.readDeltaWords(count).buffer),
    };
  }

  /**
   * Reads 32-bit words. Each is stored as the zigzag-encoded difference from the previous one, and the bytes are transposed: all lowest
   * bytes first, then all second bytes, and so on. Slowly changing values then become long runs of equal bytes.
   */
  private readDeltaWords(count: number): Uint32Array<ArrayBuffer> {
    const { bytes, offset } = this;
    this.offset += 4 * count;
    if (this.offset > bytes.length) {
      throw new Error("truncated curve pack");
    }
    const [second, third, fourth] = [offset + count, offset + 2 * count, offset + 3 * count];
    const words = new Uint32Array(count);
    let last = 0;
    for (let n = 0; n < count; n++) {
      const folded =
        byte(bytes, offset + n) |
        (byte(bytes, second + n) << 8) |
        (byte(bytes, third + n) << 16) |
        (byte(bytes, fourth + n) << 24);
      last = (last + ((folded >>> 1) ^ -(folded & 1))) | 0;
      words[n] = last;
    }
    return words;
  }
}

function byte(bytes: Uint8Array, index: number): number {
  return bytes[index] as number;
}
