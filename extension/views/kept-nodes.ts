/**
 * The nodes of a tree, which stay the same objects while it is drawn again. When a whole tree is drawn again, the editor
 * forgets its nodes at once, and a click on a button of a row that comes before the new ones are there arrives without its
 * node. So only rows are drawn again while no node came or went. Independent of the editor.
 */

export interface TreeSource<Node extends object> {
  /** The roots, or what is below a node; each time anew. */
  children(node: Node | undefined): readonly Node[] | Promise<readonly Node[]>
  /** Unique below one parent. A row with others below it gets a new one when it has to look different. */
  idOf(node: Node): string
}

export class KeptNodes<Node extends object> {
  readonly #source: TreeSource<Node>
  readonly #redraw: (nodes: Node[] | undefined) => void
  /** By parent, in the order of the rows; a parent stands before what is below it. */
  readonly #shown = new Map<Node | undefined, readonly Node[]>()

  /** `redraw` draws these rows again, or everything. */
  constructor(source: TreeSource<Node>, redraw: (nodes: Node[] | undefined) => void) {
    this.#source = source
    this.#redraw = redraw
  }

  async children(parent: Node | undefined): Promise<Node[]> {
    const nodes = await this.#source.children(parent)
    this.#shown.set(parent, nodes)
    return [...nodes]
  }

  /** To be called when other nodes may have to be shown, or the same ones may have to look different. */
  async changed(): Promise<void> {
    const kept = await this.#renewAll()
    if (kept === undefined) this.#shown.clear()
    // The editor forgets what is below a row that it draws again, so a row with others below it is left alone.
    this.#redraw(kept?.filter(node => !this.#shown.has(node)))
  }

  /** Returns all nodes with what they are about now; undefined if there are others now, or in another order. */
  async #renewAll(): Promise<Node[] | undefined> {
    if (this.#shown.size === 0) return undefined
    for (const [parent, before] of [...this.#shown]) {
      const now = await this.#source.children(parent)
      if (!this.#areSame(before, now)) return undefined
      for (const [index, node] of before.entries()) Object.assign(node, now[index])
    }
    return [...this.#shown.values()].flat()
  }

  #areSame(before: readonly Node[], now: readonly Node[]): boolean {
    const idsOf = (nodes: readonly Node[]) => JSON.stringify(nodes.map(this.#source.idOf))
    return before.length === now.length && idsOf(before) === idsOf(now)
  }
}
