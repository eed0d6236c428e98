/** The time, to read and to type. */

import type { App } from "../app";
import { element } from "../dom";
import { clockTime, parseClockTime } from "./format";
import { oncePerFrame } from "./once-per-frame";

export function timeField(app: App): HTMLInputElement {
  const { state } = app;
  const field = element("input", {
    type: "text",
    class: "time-field",
    inputmode: "decimal",
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": "Time, in seconds or minutes and seconds",
    title: "Type a time: 2.5 or 1:02.5",
  });
  let isTyped = false;
  const show = () => {
    field.value = clockTime(state.time.value);
  };
  oncePerFrame(
    () => state.time.value,
    () => {
      if (!isTyped) {
        show();
      }
    },
  );
  field.addEventListener("focus", () => field.select());
  field.addEventListener("input", () => {
    isTyped = true;
  });
  field.addEventListener("blur", () => {
    const time = isTyped ? parseClockTime(field.value) : null;
    isTyped = false;
    if (time !== null) {
      app.seek(time);
    }
    show();
  });
  field.addEventListener("keydown", (event) => {
    isTyped &&= event.key !== "Escape";
    if (event.key === "Enter" || event.key === "Escape") {
      field.blur();
    }
  });
  return field;
}
