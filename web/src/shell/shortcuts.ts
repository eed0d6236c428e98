/** Keys that do something wherever the focus is, unless it is where one types. */

import type { App } from "../app";
import { availableGroups, type Command, GROUPS, isAvailable, rememberPanel } from "./commands";
import { mountHelp } from "./help";
import { isHandledByFocus, keyName } from "./keys";

export function followShortcuts(app: App): void {
  mountHelp(app, () => availableGroups(app));
  rememberPanel(app);
  const commands = commandsByKey();
  document.addEventListener("keydown", (event) => {
    const command = isPageShortcut(event) ? commands.get(keyName(event)) : undefined;
    if (command === undefined || !isAvailable(command, app)) {
      return;
    }
    event.preventDefault();
    if (!event.repeat || command.repeats) {
      command.act(app);
    }
  });
}

function commandsByKey(): ReadonlyMap<string, Command> {
  const commands = GROUPS.flatMap((group) => group.commands);
  return new Map(commands.flatMap((command) => command.keys.map((key) => [key, command] as const)));
}

function isPageShortcut(event: KeyboardEvent): boolean {
  const isElsewhere = event.defaultPrevented || event.isComposing || isHandledByFocus(event);
  return !isElsewhere && document.querySelector("dialog[open]") === null;
}
