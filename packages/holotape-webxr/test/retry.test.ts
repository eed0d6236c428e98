import { expect, test, vi } from "vitest";
import { retryOnce } from "./retry";

/** Runs an operation that fails this many times. Returns the result and the number of attempts. */
async function attempts(failures: number): Promise<[string, number]> {
  let count = 0;
  const attempt = () => {
    count += 1;
    if (count <= failures) {
      throw new Error(`failure ${count}`);
    }
    return "done";
  };
  const result = await retryOnce(attempt, 0).catch((error: Error) => error.message);
  return [result, count];
}

test("a failed download is retried once", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  expect(await attempts(0)).toEqual(["done", 1]);
  expect(await attempts(1)).toEqual(["done", 2]);
  expect(await attempts(2)).toEqual(["failure 2", 2]);
  expect(warn).toHaveBeenCalledTimes(2);
  warn.mockRestore();
});
