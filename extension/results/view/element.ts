/** Finds and makes elements of the page. */

/** Returns an element of the page by its id; a missing one is a bug of the page. */
export function element(id: string): HTMLElement
export function element<T extends HTMLElement>(id: string, type: new () => T): T
export function element(id: string, type: new () => HTMLElement = HTMLElement): HTMLElement {
  const node = document.getElementById(id)
  if (!(node instanceof type)) throw new Error(`the page has no ${type.name} "${id}"`)
  return node
}

/** Makes an element with these properties, and puts the others into it. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...inside: readonly Node[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...inside)
  return made
}
