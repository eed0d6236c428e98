/** Opens files that are dropped on the page. */

import "./drop.css";
import type { App } from "../app";
import { element } from "../dom";

export function followDrops(app: App): void {
  const text = app.server === null ? "An exported page cannot open files" : "Drop recordings to open them";
  const overlay = element("div", { class: "drop-overlay", hidden: true }, text);
  document.body.append(overlay);
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  document.addEventListener("dragover", (event) => {
    if (hasFiles(event)) {
      event.preventDefault();
      overlay.hidden = false;
    }
  });
  document.addEventListener("dragleave", (event) => {
    // `null` when the pointer leaves the page.
    if (event.relatedTarget === null) {
      overlay.hidden = true;
    }
  });
  document.addEventListener("drop", (event) => {
    if (!hasFiles(event)) {
      return;
    }
    event.preventDefault();
    overlay.hidden = true;
    void app.open(event.dataTransfer?.files ?? []);
  });
}
