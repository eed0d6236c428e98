/** How far poses may be from what they were, for fewer keys. */

import type { PreviewRequest } from "../api";
import type { App } from "../app";
import { element } from "../dom";
import { busily } from "./panel";

/** Those of `holotape optimize`; what was typed last stays. */
const bounds = { positionMm: 1, angleDeg: 0.2 };

export function optimizeForm(app: App, tryOut: (request: PreviewRequest) => Promise<void>): HTMLElement {
  const [position, positionField] = boundField("Position", "mm", "positionMm");
  const [angle, angleField] = boundField("Angle", "°", "angleDeg");
  const button = element("button", { type: "submit", "data-key": "optimize" }, "Preview the optimization");
  const form = element("form", { class: "optimize-form" }, position, angle, button);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    bounds.positionMm = positionField.valueAsNumber;
    bounds.angleDeg = angleField.valueAsNumber;
    void busily(app, button, () => tryOut({ what: "optimize", ...bounds }));
  });
  return form;
}

function boundField(words: string, unit: string, bound: keyof typeof bounds): [HTMLElement, HTMLInputElement] {
  const field = element("input", { type: "number", step: "any", min: 0, required: true, value: bounds[bound] });
  field.dataset.key = bound;
  return [element("label", { class: "field" }, words, field, unit), field];
}
