/** Downloads in tests. */

import { setTimeout as sleep } from "node:timers/promises";

/** Runs an operation that downloads; if it fails, once more after a pause, since networks and registries fail temporarily. */
export async function retryOnce<T>(attempt: () => T, pauseMs = 5_000): Promise<T> {
  try {
    return attempt();
  } catch (error) {
    console.warn(`${error}; trying again in ${pauseMs} ms`);
    await sleep(pauseMs);
    return attempt();
  }
}
