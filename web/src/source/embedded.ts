/** Recordings in an exported page (`holotape view --export`): the viewer state as JSON, curve packs gzipped in base64. */

import type { RecordingInfo, ViewerState } from "../api";
import { decodeBase64 } from "../recording/base64";
import { nextMacrotask } from "../recording/macrotask";
import { validate } from "../validate";
import type { RecordingProvider } from "./server";

const STATE_ID = "holotape-state";
/** The part of the base64 that is decoded at once, a multiple of 4. A larger one would freeze the page. */
const CHUNK_CHARS = 1 << 20;
const curvesId = (recording: RecordingInfo) => `holotape-curves-${recording.id}`;

export function isEmbedded(): boolean {
  return document.getElementById(STATE_ID) !== null;
}

export class EmbeddedSource implements RecordingProvider {
  readonly server = null;

  async viewerState(): Promise<ViewerState> {
    return validate("ViewerState", JSON.parse(textOf(STATE_ID)));
  }

  async curves(recording: RecordingInfo, onProgress: (fraction: number) => void): Promise<Uint8Array> {
    const base64 = textOf(curvesId(recording));
    let at = 0;
    const gzipped = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: async (controller) => {
        await nextMacrotask();
        onProgress(at / base64.length);
        controller.enqueue(decodeBase64(base64.slice(at, at + CHUNK_CHARS)));
        at += CHUNK_CHARS;
        if (at >= base64.length) {
          controller.close();
        }
      },
    });
    const decompressed = gzipped.pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(decompressed).arrayBuffer());
  }
}

function textOf(id: string): string {
  const element = document.getElementById(id);
  if (element === null) {
    throw new Error(`incomplete page: element ${id} is missing; export it again`);
  }
  return element.textContent ?? "";
}
