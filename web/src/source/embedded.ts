/** Takes inside the page, as `holotape view --export` puts them there: a session as JSON, tapes zipped, in base64. */

import type { RecordingInfo, ViewerState } from "../api";
import type { RecordingProvider } from "./index";

const SESSION = "holotape-session";
const tapeElement = (recording: RecordingInfo) => `holotape-tape-${recording.id}`;

export function isEmbedded(): boolean {
  return document.getElementById(SESSION) !== null;
}

export class EmbeddedSource implements RecordingProvider {
  readonly server = null;

  async viewerState(): Promise<ViewerState> {
    return JSON.parse(textOf(SESSION)) as ViewerState;
  }

  async curves(recording: RecordingInfo): Promise<Uint8Array> {
    const zipped = Uint8Array.from(atob(textOf(tapeElement(recording))), (letter) => letter.charCodeAt(0));
    const unzipped = new Blob([zipped]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(unzipped).arrayBuffer());
  }
}

function textOf(id: string): string {
  const element = document.getElementById(id);
  if (element === null) {
    throw new Error(`the page is incomplete: ${id} is missing`);
  }
  return element.textContent ?? "";
}
