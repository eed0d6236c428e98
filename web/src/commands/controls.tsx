/** Buttons for commands, labelled with their keys. */

import type { ComponentChildren } from "preact";
import "./controls.css";
import type { App } from "../app";
import { type ButtonAttributes, IconButton } from "../components";
import type { Command } from "./commands";
import { keyLabel } from "./keys";

interface CommandButtonProperties extends Omit<ButtonAttributes, "command"> {
  readonly app: App;
  readonly icon: string;
  readonly command: Command;
  /** Replaces the command's label. */
  readonly label?: string;
  readonly text?: string;
}

export function CommandButton({ app, command, label = command.label, ...properties }: CommandButtonProperties) {
  const title = `${label} (${command.keys.map(keyLabel).join(" or ")})`;
  return <IconButton label={label} title={title} onClick={() => command.run(app)} {...properties} />;
}

/** Buttons drawn as one control. */
export function ButtonGroup({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and a legend, which buttons in a bar do not have.
    <div class="button-group" role="group" aria-label={label}>
      {children}
    </div>
  );
}
