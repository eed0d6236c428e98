/** Evaluates curves with the rules of the `holotape` crate. Tests compare both. */

import { type BezierKeys, type Curve, WRAP_LOOP, WRAP_PING_PONG } from "./decode";

/** The value at a time; 0 or 1 for flags. */
export function valueAt(curve: Curve, time: number): number {
  const { times, values } = curve;
  const last = times.length - 1;
  if (last === 0) {
    return elementAt(values, 0);
  }
  const wrapped = wrap(curve, time);
  if (wrapped < elementAt(times, 0)) {
    return elementAt(values, 0);
  }
  if (wrapped >= elementAt(times, last)) {
    return elementAt(values, last);
  }
  const before = lastAtOrBefore(times, wrapped);
  const [t0, t1] = [elementAt(times, before), elementAt(times, before + 1)];
  if (curve.kind === "bool" || t0 === wrapped) {
    return elementAt(values, before);
  }
  const t = (wrapped - t0) / (t1 - t0);
  if (curve.bezier === null) {
    const v0 = elementAt(values, before);
    return v0 + t * (elementAt(values, before + 1) - v0);
  }
  return segmentValue(curve, curve.bezier, before, t);
}

export function isOn(curve: Curve | undefined, time: number): boolean {
  return curve !== undefined && valueAt(curve, time) > 0.5;
}

/** The index of the last time at or before a given one; -1 if there is none. */
export function lastAtOrBefore(times: Float32Array, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (elementAt(times, middle) <= time) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low - 1;
}

/** The element at an index that is known to be valid. */
export function elementAt(array: Float32Array | Int32Array, index: number): number {
  return array[index] as number;
}

/** Maps a time outside the keys into their span, if the wrap mode on that side repeats. */
function wrap({ times, preWrap, postWrap }: Curve, time: number): number {
  const [first, last] = [elementAt(times, 0), elementAt(times, times.length - 1)];
  const mode = time < first ? preWrap : time > last ? postWrap : 0;
  const period = last - first;
  if (period <= 0 || (mode !== WRAP_LOOP && mode !== WRAP_PING_PONG)) {
    return time;
  }
  if (mode === WRAP_LOOP) {
    return first + remainder(time - first, period);
  }
  const along = remainder(time - first, 2 * period);
  return first + (along > period ? 2 * period - along : along);
}

function remainder(value: number, by: number): number {
  return ((value % by) + by) % by;
}

/** The value between two neighbouring Bézier keys. */
function segmentValue({ times, values }: Curve, keys: BezierKeys, before: number, t: number): number {
  const after = before + 1;
  const [v0, v1] = [elementAt(values, before), elementAt(values, after)];
  const [out, into] = [elementAt(keys.outTangents, before), elementAt(keys.inTangents, after)];
  if (isInfinite(out) || isInfinite(into)) {
    return v0;
  }
  const dx = elementAt(times, after) - elementAt(times, before);
  const [m0, m1] = [out * dx, into * dx];
  const isOutWeighted = (elementAt(keys.weightedModes, before) & 2) !== 0;
  const isInWeighted = (elementAt(keys.weightedModes, after) & 1) !== 0;
  if (!isOutWeighted && !isInWeighted) {
    return hermite(v0, m0, v1, m1, t);
  }
  const w0 = isOutWeighted ? elementAt(keys.outWeights, before) : 1 / 3;
  const w1 = isInWeighted ? elementAt(keys.inWeights, after) : 1 / 3;
  if (w0 === 0 && w1 === 0) {
    return v0 + t * (v1 - v0);
  }
  return bezier(v0, v0 + w0 * m0, v1 - w1 * m1, v1, bezierParameter(w0, w1, t));
}

function isInfinite(value: number): boolean {
  return Math.abs(value) === Number.POSITIVE_INFINITY;
}

function hermite(v0: number, m0: number, v1: number, m1: number, s: number): number {
  const a = 2 * v0 + m0 - 2 * v1 + m1;
  const b = -3 * v0 - 2 * m0 + 3 * v1 - m1;
  return s * (s * (a * s + b) + m0) + v0;
}

function bezier(p0: number, p1: number, p2: number, p3: number, u: number): number {
  const v = 1 - u;
  return p0 * v * v * v + 3 * p1 * u * v * v + 3 * p2 * u * u * v + p3 * u * u * u;
}

/** The largest parameter in [0, 1] at which the time of the Bézier curve is `s`. With large weights, time is not monotonic. */
function bezierParameter(w0: number, w1: number, s: number): number {
  if (s >= 1) {
    return 1;
  }
  const time = (u: number) => bezier(0, w0, 1 - w1, 1, u) - s;
  let high = 1;
  for (const low of [...turningPoints(w0, w1), 0]) {
    if (time(low) <= 0 !== time(high) <= 0) {
      return bisect(time, low, high);
    }
    high = low;
  }
  return Number.NaN;
}

/** The parameters in (0, 1) at which time reverses, in descending order. */
function turningPoints(w0: number, w1: number): number[] {
  const a = 3 * (w0 + w1) - 2;
  const h = 1 - w1 - 2 * w0;
  const discriminant = h * h - a * w0;
  if (discriminant <= 0) {
    return [];
  }
  const q = -(h + (h < 0 ? -1 : 1) * Math.sqrt(discriminant));
  return [q / a, w0 / q].sort((x, y) => y - x).filter((u) => u > 0 && u < 1);
}

function bisect(f: (u: number) => number, from: number, to: number): number {
  let [low, high] = [from, to];
  const lowIsBelow = f(low) <= 0;
  for (let step = 0; step < 60; step++) {
    const middle = low + 0.5 * (high - low);
    if (middle <= low || middle >= high) {
      break;
    }
    if (f(middle) <= 0 === lowIsBelow) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low + 0.5 * (high - low);
}
