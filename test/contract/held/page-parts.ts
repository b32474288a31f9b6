/** What a page of `docs` says, part by part: its sentences, the rows of its tables and its examples. */
import { createHash } from 'node:crypto'

export type PartKind = 'sentence' | 'row' | 'example'

export interface PagePart {
  readonly kind: PartKind
  readonly text: string
  /** Hash of the text and its first words: a part that was changed has another one. */
  readonly key: string
}

export function partsOf(page: string): readonly PagePart[] {
  const examples: string[] = []
  const prose = page
    .replace(/^```[^\n]*\n[\s\S]*?^```$/gm, block => {
      examples.push(block)
      return ''
    })
    .replace(/<!--[\s\S]*?-->/g, '')
  const blocks = prose.split(/\n\s*\n/).map(block => block.trim())
  return [...blocks.flatMap(partsOfBlock), ...examples.map(text => part('example', text))]
}

function partsOfBlock(block: string): readonly PagePart[] {
  if (block === '' || block.startsWith('#')) return []
  // The first two lines of a table are its head.
  if (block.startsWith('|'))
    return block
      .split('\n')
      .slice(2)
      .map(row => part('row', row))
  return block.split(/\n(?=- )/).flatMap(sentencesOf)
}

function sentencesOf(text: string): readonly PagePart[] {
  return text
    .replace(/^- /, '')
    .replace(/\s+/g, ' ')
    .split(/(?<=[.!?])\s+(?=[A-Z`"*])/)
    .map(sentence => part('sentence', sentence))
}

function part(kind: PartKind, text: string): PagePart {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 6)
  const words = text
    .replace(/[`*|]|\]\([^)]*\)|\[/g, ' ')
    .trim()
    .split(/\s+/)
  return { kind, text, key: [hash, ...words.slice(0, 5)].join(' ') }
}
