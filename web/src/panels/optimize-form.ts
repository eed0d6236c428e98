/** How far poses may be from what they were, for fewer keys. */

import type { PreviewRequest } from "../api";
import type { App } from "../app";
import { element } from "../dom";
import type { OpenRecording } from "../state";
import { isRunning, runExclusive } from "./panel";
import { previewTask } from "./preview";

type TryOut = (recording: OpenRecording, request: PreviewRequest) => Promise<void>;

/** Made once, so that what was typed stays. */
export class OptimizeForm {
  // As `holotape optimize` has them.
  private readonly position = boundField(1);
  private readonly angle = boundField(0.2);
  private readonly button = element("button", { type: "submit", "data-key": "optimize" }, "Preview the optimization");
  private readonly view = element(
    "form",
    { class: "optimize-form" },
    element("label", { class: "field" }, "Position", this.position, "mm"),
    element("label", { class: "field" }, "Angle", this.angle, "°"),
    this.button,
  );
  private recording: OpenRecording | null = null;

  constructor(app: App, tryOut: TryOut) {
    this.view.addEventListener("submit", (event) => {
      event.preventDefault();
      const { recording } = this;
      const [positionMm, angleDeg] = [this.position.valueAsNumber, this.angle.valueAsNumber];
      if (recording !== null) {
        void runExclusive(app, previewTask(recording), () =>
          tryOut(recording, { what: "optimize", positionMm, angleDeg }),
        );
      }
    });
  }

  of(recording: OpenRecording): HTMLElement {
    this.recording = recording;
    this.button.ariaBusy = isRunning(previewTask(recording)) ? "true" : null;
    return this.view;
  }
}

function boundField(value: number): HTMLInputElement {
  return element("input", { type: "number", step: "any", min: 0, required: true, value });
}
