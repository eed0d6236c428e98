/** Leaves out points that the line between others passes anyway: most of what a smooth curve has, and drawing is what takes time. */

/** Nothing where there is a gap; undefined where the line just goes on. */
export type Point = number | null | undefined;

/** Points are equally far apart. No line that remains is farther than the tolerance from a point that was left out. */
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

/** From the first to the last point, between which there is no gap. */
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

/** The slopes of lines from one point that pass all points after it closely enough. */
class SlopeRange {
  private low = Number.NEGATIVE_INFINITY;
  private high = Number.POSITIVE_INFINITY;

  constructor(
    private readonly index: number,
    private readonly value: number,
  ) {}

  /** Whether the line to a point is one of them. */
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
