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

/** Decodes a curve pack while it is read, so that it is never in memory as a whole. */
export async function decodeCurvePack(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<RecordingCurves> {
  const reader = new StreamReader(stream);
  const text = new TextDecoder();
  const start = await reader.read(8);
  if (text.decode(start.subarray(0, 4)) !== MAGIC) {
    throw new Error("invalid curve pack: wrong magic number");
  }
  const headerLength = new DataView(start.buffer, start.byteOffset).getUint32(4, true);
  const header = validate("CurvePackHeader", JSON.parse(text.decode(await reader.read(headerLength))));
  const arrays = new ArrayReader(reader);
  const timeArrays: Float32Array[] = [];
  for (const count of header.time_counts) {
    timeArrays.push(await arrays.floats(count));
  }
  const curves: Curve[] = [];
  for (const { name, kind, pre_wrap, post_wrap, times: index } of header.curves) {
    const times = timeArrays[index] ?? new Float32Array();
    const values = await arrays.floats(times.length);
    const bezier = kind === "bezier" ? await arrays.bezier(times.length) : null;
    curves.push({ name, kind, preWrap: pre_wrap, postWrap: post_wrap, times, values, bezier });
  }
  await reader.readToEnd();
  const byName = new Map(curves.map((curve) => [curve.name, curve]));
  return { channels: header.channels, curves, byName };
}

/** Reads parts of given lengths from a stream of chunks. */
class StreamReader {
  private readonly reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  /** Bytes that have been received and not read. */
  private chunk = new Uint8Array();
  private pausedMs = performance.now();

  constructor(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
    this.reader = stream.getReader();
  }

  /** The bytes are valid until the next call. */
  async read(count: number): Promise<Uint8Array<ArrayBuffer>> {
    if (performance.now() - this.pausedMs > MAX_WORK_MS) {
      await nextMacrotask();
      this.pausedMs = performance.now();
    }
    const parts: Uint8Array<ArrayBuffer>[] = [];
    let missing = count;
    while (missing > this.chunk.length) {
      parts.push(this.chunk);
      missing -= this.chunk.length;
      this.chunk = await this.nextChunk();
    }
    const last = this.chunk.subarray(0, missing);
    this.chunk = this.chunk.subarray(missing);
    return parts.length === 0 ? last : joined([...parts, last], count);
  }

  /** Reads the rest, so that an error at the end of the stream is not missed. */
  async readToEnd(): Promise<void> {
    let isDone = false;
    while (!isDone) {
      isDone = (await this.reader.read()).done;
    }
  }

  private async nextChunk(): Promise<Uint8Array<ArrayBuffer>> {
    const { done, value } = await this.reader.read();
    if (done) {
      throw new Error("truncated curve pack");
    }
    return value;
  }
}

function joined(parts: readonly Uint8Array[], count: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(count);
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}

class ArrayReader {
  constructor(private readonly reader: StreamReader) {}

  async floats(count: number): Promise<Float32Array<ArrayBuffer>> {
    return new Float32Array((await this.readDeltaWords(count)).buffer);
  }

  async bezier(count: number): Promise<BezierKeys> {
    return {
      inTangents: await this.floats(count),
      outTangents: await this.floats(count),
      inWeights: await this.floats(count),
      outWeights: await this.floats(count),
      weightedModes: new Int32Array((await this.readDeltaWords(count)).buffer),
    };
  }

  /**
   * Reads 32-bit words. Each is stored as the zigzag-encoded difference from the previous one, and the bytes are transposed: all lowest
   * bytes first, then all second bytes, and so on. Slowly changing values then become long runs of equal bytes.
   */
  private async readDeltaWords(count: number): Promise<Uint32Array<ArrayBuffer>> {
    const bytes = await this.reader.read(4 * count);
    const [third, fourth] = [2 * count, 3 * count];
    const words = new Uint32Array(count);
    let last = 0;
    for (let n = 0; n < count; n++) {
      const folded =
        byte(bytes, n) |
        (byte(bytes, count + n) << 8) |
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
