/** Elements, made in one line each. */

type Child = Node | string | null;
type Listeners = { readonly [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => void };

interface Properties {
  readonly class?: string;
  readonly on?: Listeners;
  /** Attributes, `aria-label` for example; an empty one is there, a null one is not. */
  readonly [attribute: string]: string | number | boolean | null | undefined | Listeners;
}

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "on") {
      addListeners(created, value as Listeners);
    } else if (value !== null && value !== undefined && value !== false) {
      created.setAttribute(name, value === true ? "" : String(value));
    }
  }
  created.append(...children.filter((child) => child !== null));
  return created;
}

function addListeners(target: HTMLElement, listeners: Listeners): void {
  for (const [name, listener] of Object.entries(listeners)) {
    target.addEventListener(name, listener as EventListener);
  }
}

/** A button whose picture is one of `icons.ts`, told to people who cannot see it by its label. */
export function iconButton(icon: string, label: string, onClick: () => void): HTMLButtonElement {
  const button = element("button", { type: "button", class: "icon-button", "aria-label": label, title: label });
  button.append(iconElement(icon));
  button.addEventListener("click", onClick);
  return button;
}

const SVG = "http://www.w3.org/2000/svg";

/** A picture of 24 by 24, drawn as one path in the colour of the text. */
export function iconElement(path: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.classList.add("icon");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}
