/** Buttons for commands: their names and hints come from the table of commands. */

import { effect } from "@preact/signals-core";
import "./controls.css";
import type { App } from "../app";
import { element, iconButton } from "../dom";
import type { Command } from "./commands";
import { keyLabel } from "./keys";

/** A button that does what a key does, and says which one. */
export function commandButton(app: App, icon: string, command: Command): HTMLButtonElement {
  const button = iconButton(icon, command.words, () => command.act(app));
  nameControl(button, command.words, command);
  return button;
}

/** One that shows whether what it switches is on. */
export function commandToggle(app: App, icon: string, command: Command, isOn: () => boolean): HTMLButtonElement {
  const button = commandButton(app, icon, command);
  effect(() => button.setAttribute("aria-pressed", `${isOn()}`));
  return button;
}

export function nameControl(button: HTMLElement, label: string, { keys }: Command): void {
  button.setAttribute("aria-label", label);
  button.title = `${label} (${keys.map(keyLabel).join(" or ")})`;
}

export function setIcon(button: HTMLElement, icon: string): void {
  button.querySelector("path")?.setAttribute("d", icon);
}

/** A word beside the picture, where there is room for it. */
export function withLabel(button: HTMLButtonElement, word: string): HTMLButtonElement {
  button.classList.add("with-word");
  button.append(element("span", { class: "word", "aria-hidden": "true" }, word));
  return button;
}

/** Buttons that belong together, drawn as one. */
export function buttonGroup(label: string, ...buttons: readonly HTMLElement[]): HTMLElement {
  return element("div", { class: "segments", role: "group", "aria-label": label }, ...buttons);
}
