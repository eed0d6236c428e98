/** Names of keys, and whose they are. */

/** `Space`, `Shift+ArrowLeft`, `Mod+Z`: what was pressed, with `Mod` for the control key and for ⌘. */
export function keyName(event: KeyboardEvent): string {
  const { key } = event;
  const isLetter = /^\p{L}$/u.test(key);
  // Some keyboards need shift or alt to write a bracket: what counts is what was written.
  const isSign = key.length === 1 && key !== " " && !isLetter;
  const isMod = (event.ctrlKey || event.metaKey) && !event.getModifierState("AltGraph");
  const isAlt = event.altKey && !(isSign && !isMod);
  const isShift = event.shiftKey && !isSign;
  const name = key === " " ? "Space" : isLetter ? key.toUpperCase() : key;
  return `${isMod ? "Mod+" : ""}${isAlt ? "Alt+" : ""}${isShift ? "Shift+" : ""}${name}`;
}

const SIGNS: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Mod: /Mac|iP(hone|ad|od)/.test(navigator.userAgent) ? "⌘" : "Ctrl",
};

/** The caps of a key that was named by `keyOf`: `["Shift", "←"]`. */
export function keyCaps(name: string): readonly string[] {
  const parts = name === "+" ? ["+"] : name.split("+");
  return parts.map((part) => SIGNS[part] ?? part);
}

export function keyLabel(name: string): string {
  return keyCaps(name).join("+");
}

const NOT_TYPED_IN = new Set(["checkbox", "radio", "button", "submit", "reset", "file", "color", "image"]);
const MOVES = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"]);
const MOVED_IN = "[role=tablist], [role=radiogroup], [role=listbox], [role=tree], [role=menu], input[type=radio]";
const PRESSED = "button, a[href], summary, input, [role=button], [role=tab], [role=switch], [role=checkbox]";

/** Whether a key belongs to what has the focus, and not to the page. */
export function isHandledByFocus(event: KeyboardEvent): boolean {
  const { target } = event;
  if (!(target instanceof HTMLElement)) {
    return false;
  }
  if (isTypedIn(target)) {
    return true;
  }
  const isPress = event.key === " " || event.key === "Enter";
  return (isPress && target.closest(PRESSED) !== null) || (MOVES.has(event.key) && target.closest(MOVED_IN) !== null);
}

function isTypedIn(target: HTMLElement): boolean {
  if (target instanceof HTMLInputElement) {
    return !NOT_TYPED_IN.has(target.type);
  }
  return target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement || target.isContentEditable;
}
