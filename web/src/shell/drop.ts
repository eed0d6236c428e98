/** Files that are dropped on the page are opened. */

import "./drop.css";
import type { App } from "../app";
import { element } from "../dom";

export function followDrops(app: App): void {
  const text = app.server === null ? "This page shows only what it carries" : "Drop recordings to open them";
  const veil = element("div", { class: "drop-veil", hidden: true }, text);
  document.body.append(veil);
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  document.addEventListener("dragover", (event) => {
    if (hasFiles(event)) {
      event.preventDefault();
      veil.hidden = false;
    }
  });
  document.addEventListener("dragleave", (event) => {
    // Left for another element of the page, or for good?
    if (event.relatedTarget === null) {
      veil.hidden = true;
    }
  });
  document.addEventListener("drop", (event) => {
    if (!hasFiles(event)) {
      return;
    }
    event.preventDefault();
    veil.hidden = true;
    void app.open(event.dataTransfer?.files ?? []);
  });
}
