/** Removes points that lie on the line between others. Smooth curves consist mostly of these, and drawing them is slow. */

/** `null` for a gap; `undefined` for a point that is omitted. */
export type Point = number | null | undefined;

/** Simplifies equidistant points. No line is farther than the tolerance from an omitted point. */
export function simplify(values: readonly (number | null)[], tolerance: number): Point[] {
  const kept: Point[] = values.map((value) => (value === null ? null : undefined));
  let first = 0;
  for (let n = 0; n <= values.length; n++) {
    if (n === values.length || values[n] === null) {
      simplifyRun(values, first, n - 1, tolerance, kept);
      first = n + 1;
    }
  }
  return kept;
}

/** Simplifies a run of points without a gap. */
function simplifyRun(
  values: readonly (number | null)[],
  first: number,
  last: number,
  tolerance: number,
  kept: Point[],
): void {
  const value = (n: number) => values[n] as number;
  if (first > last) {
    return;
  }
  kept[first] = value(first);
  kept[last] = value(last);
  let slopes = new SlopeRange(first, value(first));
  for (let n = first + 1; n <= last; n++) {
    if (!slopes.contains(n, value(n))) {
      kept[n - 1] = value(n - 1);
      slopes = new SlopeRange(n - 1, value(n - 1));
    }
    slopes.narrow(n, value(n), tolerance);
  }
}

/** The slopes of all lines from a start point that pass the following points within the tolerance. */
class SlopeRange {
  private low = Number.NEGATIVE_INFINITY;
  private high = Number.POSITIVE_INFINITY;

  constructor(
    private readonly index: number,
    private readonly value: number,
  ) {}

  /** Whether the line to a point has one of these slopes. */
  contains(index: number, value: number): boolean {
    const slope = this.slopeTo(index, value);
    return slope >= this.low && slope <= this.high;
  }

  narrow(index: number, value: number, tolerance: number): void {
    this.low = Math.max(this.low, this.slopeTo(index, value - tolerance));
    this.high = Math.min(this.high, this.slopeTo(index, value + tolerance));
  }

  private slopeTo(index: number, value: number): number {
    return (value - this.value) / (index - this.index);
  }
}
