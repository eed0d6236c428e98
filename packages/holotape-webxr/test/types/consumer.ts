/** Uses the types of the published package without those of a browser. */

import type { PageLike, RecordingController, RecordingEvent } from "holotape-webxr";
import { installRecording, RecordingError } from "holotape-webxr";

declare const page: PageLike;

export async function use(): Promise<string[]> {
  const take: RecordingController = await installRecording(page, new Uint8Array(), {
    rate: 90,
    origin: { floor: "auto" },
  });
  const stop = take.on("pinchend", ({ hand, cancelled }) => (cancelled ? hand.length : 0));
  take.on("marker", ({ name }) => name.length);
  // @ts-expect-error: a marker has no hand.
  take.on("marker", ({ hand }) => hand);
  // @ts-expect-error: unknown event type.
  take.on("pinch", () => {});
  // @ts-expect-error: unknown device.
  await installRecording(page, "take.bin", { device: "hololens" });
  stop();
  const seen: RecordingEvent[] = [];
  for await (const event of take.events) {
    seen.push(event);
  }
  return seen.map(({ type }) => type);
}

export const kindOf = (error: unknown) => (error instanceof RecordingError ? error.kind : "other");
