/** Recordings in an exported page (`holotape view --export`): the viewer state as JSON, curve packs gzipped in base64. */

import type { RecordingInfo, ViewerState } from "../api";
import type { RecordingCurves } from "../recording/decode";
import { validate } from "../validate";
import { loadCurves } from "./load-curves";
import { loadInWorker } from "./load-in-worker";
import type { ProgressCallback, RecordingProvider } from "./server";

const STATE_ID = "holotape-state";

export function isEmbedded(): boolean {
  return document.getElementById(STATE_ID) !== null;
}

export class EmbeddedSource implements RecordingProvider {
  readonly server = null;
  /** Data that was taken from the page and is not decoded yet, by id of its element. */
  private readonly taken = new Map<string, Blob>();

  async viewerState(): Promise<ViewerState> {
    return validate("ViewerState", JSON.parse(elementById(STATE_ID).textContent ?? ""));
  }

  async curves(info: RecordingInfo, onProgress: ProgressCallback, signal: AbortSignal): Promise<RecordingCurves> {
    const elementId = `holotape-curves-${info.id}`;
    if (!info.has_overview) {
      return this.load(elementId, (base64) => loadCurves({ base64 }, onProgress));
    }
    await documentParsed();
    return this.load(elementId, (base64) => loadInWorker({ base64 }, onProgress, signal));
  }

  async overview({ id }: RecordingInfo): Promise<RecordingCurves> {
    return this.load(`holotape-overview-${id}`, (base64) => loadCurves({ base64 }, () => {}));
  }

  /** Decodes the data of an element. If that fails, it can be repeated. */
  private async load(elementId: string, decode: (base64: Blob) => Promise<RecordingCurves>): Promise<RecordingCurves> {
    const base64 = this.taken.get(elementId) ?? takeText(elementId);
    this.taken.set(elementId, base64);
    const curves = await decode(base64);
    this.taken.delete(elementId);
    return curves;
  }
}

/** Removes an element and returns its text, or that of its children. The browser keeps a blob outside of the memory of the page. */
function takeText(elementId: string): Blob {
  const element = elementById(elementId);
  const parts = element.childElementCount === 0 ? [element] : [...element.children];
  const text = new Blob(parts.map((part) => part.textContent ?? ""));
  element.remove();
  return text;
}

function elementById(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) {
    throw new Error(`incomplete page: element ${id} is missing; export it again`);
  }
  return element;
}

/** Waits until the browser has read the complete page. The script runs earlier if the page has a long recording. */
async function documentParsed(): Promise<void> {
  if (document.readyState === "loading") {
    await new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve, { once: true }));
  }
}
