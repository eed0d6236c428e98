/** Runs commands on key presses, wherever the focus is, except where keys are typed. */

import type { App } from "../app";
import { type Command, GROUPS, isAvailable } from "./commands";
import { isHandledByFocus, keyName } from "./keys";

export function followShortcuts(app: App): void {
  const commands = commandsByKey();
  document.addEventListener("keydown", (event) => {
    const command = isPageShortcut(event) ? commands.get(keyName(event)) : undefined;
    if (command === undefined || !isAvailable(command, app)) {
      return;
    }
    event.preventDefault();
    if (!event.repeat || command.repeats) {
      command.run(app);
    }
  });
}

function commandsByKey(): ReadonlyMap<string, Command> {
  const commands = GROUPS.flatMap((group) => group.commands);
  return new Map(commands.flatMap((command) => command.keys.map((key) => [key, command] as const)));
}

function isPageShortcut(event: KeyboardEvent): boolean {
  const isHandled = event.defaultPrevented || event.isComposing || isHandledByFocus(event);
  return !isHandled && document.querySelector("dialog[open]") === null;
}
