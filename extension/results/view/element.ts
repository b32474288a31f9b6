/** Returns an element of the page by its id; a missing one is a bug of the page. */
export function element(id: string): HTMLElement
export function element<T extends HTMLElement>(id: string, type: new () => T): T
export function element(id: string, type: new () => HTMLElement = HTMLElement): HTMLElement {
  const node = document.getElementById(id)
  if (!(node instanceof type)) throw new Error(`the page has no ${type.name} "${id}"`)
  return node
}
