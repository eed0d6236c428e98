/** Names of keys, and whether the page or the focused element handles them. */

/** Names a key press: `Space`, `Shift+ArrowLeft`, `Mod+Z`. `Mod` is the control key or ⌘. */
export function keyName(event: KeyboardEvent): string {
  const { key } = event;
  const isLetter = /^\p{L}$/u.test(key);
  // Some keyboard layouts need Shift or Alt for brackets, so these modifiers do not count for symbols.
  const isSymbol = key.length === 1 && key !== " " && !isLetter;
  const isMod = (event.ctrlKey || event.metaKey) && !event.getModifierState("AltGraph");
  const isAlt = event.altKey && !(isSymbol && !isMod);
  const isShift = event.shiftKey && !isSymbol;
  const name = key === " " ? "Space" : isLetter ? key.toUpperCase() : key;
  return `${isMod ? "Mod+" : ""}${isAlt ? "Alt+" : ""}${isShift ? "Shift+" : ""}${name}`;
}

const KEY_CAPS: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Mod: /Mac|iP(hone|ad|od)/.test(navigator.userAgent) ? "⌘" : "Ctrl",
};

/** The key caps for a key name: `["Shift", "←"]`. */
export function keyCaps(name: string): readonly string[] {
  const parts = name === "+" ? ["+"] : name.split("+");
  return parts.map((part) => KEY_CAPS[part] ?? part);
}

export function keyLabel(name: string): string {
  return keyCaps(name).join("+");
}

const NON_TEXT_INPUTS = new Set(["checkbox", "radio", "button", "submit", "reset", "file", "color", "image"]);
const NAVIGATION_KEYS = new Set([
  "ArrowLeft",
  "ArrowRight",
  "ArrowUp",
  "ArrowDown",
  "Home",
  "End",
  "PageUp",
  "PageDown",
]);
const NAVIGABLE = "[role=tablist], [role=radiogroup], [role=listbox], [role=tree], [role=menu], input[type=radio]";
const PRESSABLE = "button, a[href], summary, input, [role=button], [role=tab], [role=switch], [role=checkbox]";

/** Whether the focused element handles a key. */
export function isHandledByFocus(event: KeyboardEvent): boolean {
  const { target } = event;
  if (!(target instanceof HTMLElement)) {
    return false;
  }
  if (isTextField(target)) {
    return true;
  }
  const isPress = event.key === " " || event.key === "Enter";
  return (
    (isPress && target.closest(PRESSABLE) !== null) ||
    (NAVIGATION_KEYS.has(event.key) && target.closest(NAVIGABLE) !== null)
  );
}

function isTextField(target: HTMLElement): boolean {
  if (target instanceof HTMLInputElement) {
    return !NON_TEXT_INPUTS.has(target.type);
  }
  return target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement || target.isContentEditable;
}
