/** Recordings in an exported page (`holotape view --export`): the viewer state as JSON, curve packs gzipped in base64. */

import type { RecordingInfo, ViewerState } from "../api";
import { validate } from "../validate";
import type { RecordingProvider } from "./server";

const STATE_ID = "holotape-state";
const curvesId = (recording: RecordingInfo) => `holotape-curves-${recording.id}`;

export function isEmbedded(): boolean {
  return document.getElementById(STATE_ID) !== null;
}

export class EmbeddedSource implements RecordingProvider {
  readonly server = null;

  async viewerState(): Promise<ViewerState> {
    return validate("ViewerState", JSON.parse(textOf(STATE_ID)));
  }

  async curves(recording: RecordingInfo): Promise<Uint8Array> {
    const gzipped = Uint8Array.from(atob(textOf(curvesId(recording))), (char) => char.charCodeAt(0));
    const decompressed = new Blob([gzipped]).stream().pipeThrough(new DecompressionStream("gzip"));
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
