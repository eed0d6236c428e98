/** Searches in lists. */

/** The number of leading indexes below `count` that satisfy a predicate, which must be false from some index on. */
export function countWhile(count: number, predicate: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (predicate(middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** The item with the smallest distance; `null` if there are no items. */
export function nearestBy<T>(items: readonly T[], distance: (item: T) => number): T | null {
  return items.reduce<T | null>((best, item) => (best === null || distance(item) < distance(best) ? item : best), null);
}

/** The lowest non-negative integer that is not in a list. */
export function lowestUnused(used: readonly number[]): number {
  let lowest = 0;
  while (used.includes(lowest)) {
    lowest += 1;
  }
  return lowest;
}
