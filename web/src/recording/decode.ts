/**
 * A tape: the curves of a recording as the server sends them and exported pages carry them, unzipped.
 *
 * "HTP1", the length of a JSON header, the header, then arrays one after the other: the times of each clock, and for each curve
 * its values, and tangents, weights and modes where it has them. `crates/holotape-viewer/src/tape.rs` writes it.
 */

export type CurveKind = "linear" | "bezier" | "bool";

/** What a curve does outside its keys, in Unity's numbers; all others clamp. */
export const WRAP_LOOP = 2;
export const WRAP_PING_PONG = 4;

export interface Curve {
  readonly name: string;
  readonly sort: CurveKind;
  readonly preWrap: number;
  readonly postWrap: number;
  /** In order. Curves with the same times share one array. */
  readonly times: Float32Array;
  readonly values: Float32Array;
  readonly bezier: BezierKeys | null;
}

export interface BezierKeys {
  readonly inTangents: Float32Array;
  readonly outTangents: Float32Array;
  readonly inWeights: Float32Array;
  readonly outWeights: Float32Array;
  /** 1 where the tangent before has a weight, 2 where the one after has, 3 for both. */
  readonly weightedModes: Int32Array;
}

export interface RecordingCurves {
  readonly channels: { readonly camera: boolean; readonly hands: boolean; readonly gaze: boolean };
  /** Those that have keys, in the order of the file. */
  readonly curves: readonly Curve[];
  readonly byName: ReadonlyMap<string, Curve>;
}

interface Header {
  readonly channels: RecordingCurves["channels"];
  /** How many times each clock has. */
  readonly clocks: readonly number[];
  readonly curves: readonly {
    readonly name: string;
    readonly sort: CurveKind;
    readonly preWrap: number;
    readonly postWrap: number;
    readonly clock: number;
  }[];
}

const MAGIC = "HTP1";

export function decodeCurvePack(bytes: Uint8Array): RecordingCurves {
  const text = new TextDecoder();
  if (bytes.length < 8 || text.decode(bytes.subarray(0, 4)) !== MAGIC) {
    throw new Error("this is no tape");
  }
  const headerLength = new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true);
  const header = JSON.parse(text.decode(bytes.subarray(8, 8 + headerLength))) as Header;
  const arrays = new ArrayReader(bytes, 8 + headerLength);
  const clocks = header.clocks.map((count) => arrays.floats(count));
  const curves = header.curves.map(({ clock, ...curve }): Curve => {
    const times = clocks[clock] ?? new Float32Array();
    const values = arrays.floats(times.length);
    return { ...curve, times, values, bezier: curve.sort === "bezier" ? arrays.bezier(times.length) : null };
  });
  const byName = new Map(curves.map((curve) => [curve.name, curve]));
  return { channels: header.channels, curves, byName };
}

/** Reads arrays one after the other. */
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
   * Words of 32 bits. Each is stored as its difference from the one before, the sign in the lowest bit, and all lowest bytes come
   * first, then all second ones, and so on: what changes little from key to key becomes long runs of the same byte.
   */
  private readDeltaWords(count: number): Uint32Array<ArrayBuffer> {
    const { bytes, offset } = this;
    this.offset += 4 * count;
    if (this.offset > bytes.length) {
      throw new Error("the tape is cut short");
    }
    const [second, third, fourth] = [offset + count, offset + 2 * count, offset + 3 * count];
    const readDeltaWords = new Uint32Array(count);
    let last = 0;
    for (let n = 0; n < count; n++) {
      const folded =
        byte(bytes, offset + n) |
        (byte(bytes, second + n) << 8) |
        (byte(bytes, third + n) << 16) |
        (byte(bytes, fourth + n) << 24);
      last = (last + ((folded >>> 1) ^ -(folded & 1))) | 0;
      readDeltaWords[n] = last;
    }
    return readDeltaWords;
  }
}

function byte(bytes: Uint8Array, index: number): number {
  return bytes[index] as number;
}
