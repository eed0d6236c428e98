/** Decodes keys to arrays, as the evaluation in `web/src/recording` needs them. */

import type { CurveKind } from "../../../../web/src/api";
import type { BezierKeys, Curve, RecordingCurves } from "../../../../web/src/recording/decode";
import { type Channels, isFlag } from "./curves";
import { type CurveSpan, FULL_KEY_BYTES } from "./walk";

const BOTH_WEIGHTED = 3;

export function decode(bytes: Uint8Array, channels: Channels, spans: readonly CurveSpan[]): RecordingCurves {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const timeArrays = new TimeArrays();
  const curves = spans.map((span) => curveOf(view, span, timeArrays)).filter((curve) => curve !== null);
  return { channels, curves, byName: new Map(curves.map((curve) => [curve.name, curve])) };
}

/** The maximum time of any curve's last key, in stored order; infinite times are ignored. */
export function durationOf(bytes: Uint8Array, spans: readonly CurveSpan[]): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return spans.reduce((longest, { keysAt, keyBytes, keyCount }) => {
    const end = keyCount === 0 ? 0 : view.getFloat32(keysAt + (keyCount - 1) * keyBytes, true);
    return Number.isFinite(end) ? Math.max(longest, end) : longest;
  }, 0);
}

/** `null` for a curve without keys, or with only NaN times. */
function curveOf(view: DataView, span: CurveSpan, timeArrays: TimeArrays): Curve | null {
  const { name, preWrap, postWrap, keyBytes } = span;
  const order = sortOrder(column(view, span, 0, null));
  const times = timeArrays.shared(column(view, span, 0, order));
  if (times.length === 0) {
    return null;
  }
  const full = keyBytes === FULL_KEY_BYTES ? fullKeys(view, span, order) : null;
  const bezier = full !== null && isLinear(full) ? null : full;
  const kind: CurveKind = isFlag(name) ? "bool" : bezier === null ? "linear" : "bezier";
  return { name, kind, preWrap, postWrap, times, values: column(view, span, 4, order), bezier };
}

/** One value of each key. */
function column(view: DataView, span: CurveSpan, offset: number, order: Uint32Array | null): Float32Array {
  const values = new Float32Array(order?.length ?? span.keyCount);
  return values.map((_, n) => view.getFloat32(keyAt(span, order, n) + offset, true));
}

function fullKeys(view: DataView, span: CurveSpan, order: Uint32Array | null): BezierKeys {
  const modes = new Int32Array(order?.length ?? span.keyCount);
  return {
    inTangents: column(view, span, 8, order),
    outTangents: column(view, span, 12, order),
    inWeights: column(view, span, 16, order),
    outWeights: column(view, span, 20, order),
    weightedModes: modes.map((_, n) => view.getInt32(keyAt(span, order, n) + 24, true)),
  };
}

function keyAt(span: CurveSpan, order: Uint32Array | null, n: number): number {
  return span.keysAt + (order?.[n] ?? n) * span.keyBytes;
}

/** Whether full keys could be stored as compact keys. Negative zeros could not. */
function isLinear(keys: BezierKeys): boolean {
  const isZero = (values: Float32Array) => values.every((value) => Object.is(value, 0));
  const { inTangents, outTangents, inWeights, outWeights, weightedModes } = keys;
  return (
    [inTangents, outTangents, inWeights, outWeights].every(isZero) &&
    weightedModes.every((mode) => mode === BOTH_WEIGHTED)
  );
}

/** The indexes of times in ascending order, without NaN; `null` if they are in order already. */
function sortOrder(times: Float32Array): Uint32Array | null {
  const isInOrder = times.every((time, n) => (n === 0 ? !Number.isNaN(time) : time >= (times[n - 1] as number)));
  if (isInOrder) {
    return null;
  }
  const at = (index: number) => times[index] as number;
  const places = Uint32Array.from(times.keys()).filter((index) => !Number.isNaN(at(index)));
  return places.sort((a, b) => (at(a) < at(b) ? -1 : at(a) > at(b) ? 1 : a - b));
}

/** Curves with bitwise equal times share one array, by which the sampler recognizes the curves of a vector. */
class TimeArrays {
  private readonly byHash = new Map<number, Float32Array[]>();

  shared(times: Float32Array): Float32Array {
    const bits = bitsOf(times);
    const hash = bits.reduce((sum, word) => Math.imul(sum ^ word, 0x0100_0193), times.length);
    const alike = this.byHash.get(hash) ?? [];
    const found = alike.find((other) => isSame(bitsOf(other), bits));
    if (found !== undefined) {
      return found;
    }
    this.byHash.set(hash, [...alike, times]);
    return times;
  }
}

function bitsOf(times: Float32Array): Uint32Array {
  return new Uint32Array(times.buffer, times.byteOffset, times.length);
}

function isSame(a: Uint32Array, b: Uint32Array): boolean {
  return a.length === b.length && a.every((word, n) => word === b[n]);
}
