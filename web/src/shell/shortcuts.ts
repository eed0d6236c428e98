/** Keys that do something wherever the focus is, unless it is where one types. */

import type { App } from "../app";
import { type Command, GROUPS, isOffered, offeredGroups, rememberPanel } from "./commands";
import { mountHelp } from "./help";
import { isTaken, keyOf } from "./keys";

export function followShortcuts(app: App): void {
  mountHelp(app, () => offeredGroups(app));
  rememberPanel(app);
  const commands = commandsByKey();
  document.addEventListener("keydown", (event) => {
    const command = isForThePage(event) ? commands.get(keyOf(event)) : undefined;
    if (command === undefined || !isOffered(command, app)) {
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

function isForThePage(event: KeyboardEvent): boolean {
  const isElsewhere = event.defaultPrevented || event.isComposing || isTaken(event);
  return !isElsewhere && document.querySelector("dialog[open]") === null;
}
