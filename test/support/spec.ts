/**
 * Markdown specs: `## title` is a test, a fenced block is a file or the expected answer. The first word after the fence
 * is the block's kind, the rest its argument (```svc models/a.svc```). `UPDATE=1` writes the answers anew.
 */
import { readFileSync, writeFileSync } from 'node:fs'

export interface SpecBlock {
  readonly kind: string
  readonly argument: string
  readonly text: string
  /** Offsets of the text in the Markdown file. */
  readonly start: number
  readonly end: number
}

export interface Spec {
  readonly title: string
  readonly blocks: readonly SpecBlock[]
}

export interface SpecFile {
  readonly path: string
  readonly markdown: string
  readonly specs: readonly Spec[]
}

export function readSpecFile(path: string): SpecFile {
  const markdown = readFileSync(path, 'utf8')
  return { path, markdown, specs: parseSpecs(markdown) }
}

export function parseSpecs(markdown: string): readonly Spec[] {
  const specs: { title: string; blocks: SpecBlock[] }[] = []
  const part = /^## (.+)$|^(`{3,})(\w+)(?: (.*))?\n([\s\S]*?)^\2$/gm
  for (const match of markdown.matchAll(part)) {
    const [whole, title, fence = '', kind = '', argument = '', text = ''] = match
    if (title !== undefined) {
      specs.push({ title, blocks: [] })
      continue
    }
    const end = match.index + whole.length - fence.length
    specs.at(-1)?.blocks.push({ kind, argument, text, start: end - text.length, end })
  }
  return specs
}

/** The one block of a kind that a spec must have. */
export function blockOf(spec: Spec, kind: string): SpecBlock {
  const blocks = spec.blocks.filter(block => block.kind === kind)
  const [block] = blocks
  if (block === undefined || blocks.length > 1) throw new Error(`"${spec.title}" needs one block "${kind}"`)
  return block
}

/** Puts new texts in place of blocks; used by `UPDATE=1`. */
export function rewriteBlocks(file: SpecFile, texts: ReadonlyMap<SpecBlock, string>): void {
  let { markdown } = file
  const fromTheEnd = [...texts].sort(([a], [b]) => b.start - a.start)
  for (const [block, text] of fromTheEnd) {
    markdown = markdown.slice(0, block.start) + text + markdown.slice(block.end)
  }
  if (markdown !== file.markdown) writeFileSync(file.path, markdown)
}
