/** Files and their names. */

import type { App } from "./app";
import { element } from "./dom";

/** Asks for recordings, and opens those that are chosen. */
export function chooseFiles(app: App): void {
  const field = element("input", { type: "file", multiple: true });
  field.addEventListener("change", () => void app.open([...(field.files ?? [])]));
  field.click();
}

/** "take" of "take.bin". */
export function stemOf(name: string): string {
  return name.replace(/\.[^.]*$/, "");
}
