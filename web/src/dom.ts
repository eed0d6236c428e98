/** Creates DOM elements outside Preact. */

type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** `null`, `undefined` and `false` omit an attribute. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) {
      created.setAttribute(name, value === true ? "" : String(value));
    }
  }
  created.append(...children);
  return created;
}
