/** Entry point of the worker that loads the curves of a long recording. */

import { errorMessage } from "../error-message";
import type { Curve, RecordingCurves } from "../recording/decode";
import { type CurvePackSource, loadCurves } from "./load-curves";

/** A message of the worker. */
export type WorkerMessage =
  | { readonly kind: "progress"; readonly fraction: number }
  | { readonly kind: "loaded"; readonly curves: RecordingCurves }
  | { readonly kind: "failed"; readonly message: string };

/** More progress messages would only cost time. */
const MIN_PROGRESS_STEP = 0.01;

self.addEventListener("message", async ({ data }: MessageEvent<CurvePackSource>) => {
  let reported = 0;
  const onProgress = (fraction: number) => {
    if (fraction - reported >= MIN_PROGRESS_STEP) {
      reported = fraction;
      send({ kind: "progress", fraction });
    }
  };
  try {
    const curves = await loadCurves(data, onProgress);
    send({ kind: "loaded", curves }, buffersOf(curves));
  } catch (error) {
    send({ kind: "failed", message: errorMessage(error) });
  }
});

function send(message: WorkerMessage, transfer: ArrayBuffer[] = []): void {
  self.postMessage(message, { transfer });
}

/** The memory of all arrays, each once. It is moved to the page, not copied. */
function buffersOf({ curves }: RecordingCurves): ArrayBuffer[] {
  const arrays = curves.flatMap(({ times, values, bezier }: Curve) => [times, values, ...Object.values(bezier ?? {})]);
  return [...new Set(arrays.map((array) => array.buffer as ArrayBuffer))];
}
