/** Loads the curves of a long recording without blocking the page. */

import type { RecordingCurves } from "../recording/decode";
import { type CurvePackSource, loadCurves } from "./load-curves";
import type { WorkerMessage } from "./load-worker";
import LoadWorker from "./load-worker?worker&inline";

/** Loads curves in a worker, or on the main thread if there are no workers. Rejects if `signal` is aborted. */
export async function loadInWorker(
  source: CurvePackSource,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<RecordingCurves> {
  const worker = startWorker();
  const curves = worker && (await loadWith(worker, source, onProgress, signal).finally(() => worker.terminate()));
  return curves ?? loadCurves(source, onProgress);
}

function startWorker(): Worker | null {
  try {
    return new LoadWorker();
  } catch {
    return null;
  }
}

/** Resolves with `null` if the worker cannot run. */
function loadWith(
  worker: Worker,
  source: CurvePackSource,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<RecordingCurves | null> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener("abort", () => reject(signal.reason));
    worker.addEventListener("error", () => resolve(null));
    worker.addEventListener("message", ({ data }: MessageEvent<WorkerMessage>) => {
      if (data.kind === "progress") {
        onProgress(data.fraction);
      } else if (data.kind === "loaded") {
        resolve(data.curves);
      } else {
        reject(new Error(data.message));
      }
    });
    worker.postMessage(source);
  });
}
