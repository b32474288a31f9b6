/** Fixes for a whole file: one that is empty, or indented with tabs. */
import type { TextEdit } from '../text/diagnostic.ts'
import type { Problem, Remedy } from './fix.ts'

// ---------------------------------------------------------------- an empty file

/** Offers whole assets to start from, inserted at `start`. Text above, such as a comment, stays. */
export function wholeAsset({ path, text }: Problem, start = text.length): readonly Remedy[] {
  const stem = path.slice(path.lastIndexOf('/') + 1).replace(/\.svc$/, '')
  const name = stem.replace(/\W+/g, '_').replace(/^(?=\d)/, '_') || 'name'
  const head = [`name: ${name}`, `description: One sentence about what a row of ${name} is.`]
  const isOpen = start > 0 && !/[\r\n]$/.test(text.slice(0, start))
  return bodies.map(({ title, lines }) => {
    const newText = `${isOpen ? '\n' : ''}${[...head, ...lines].join('\n')}\n`
    return { title, edits: [{ path, range: { start, end: text.length }, newText }] }
  })
}

const bodies = [
  { title: 'Write a model', lines: ['ingest: none', 'transform: |', '  SELECT 1 AS id'] },
  {
    title: 'Write a source of rows',
    lines: [
      'ingest:',
      '  type: rows',
      '  rows:',
      '    - {id: 1}',
      'transform: |',
      '  SELECT *',
      '  FROM {{ source }}',
    ],
  },
]

// ---------------------------------------------------------------- tabs

const tabWidth = 2

/**
 * Replaces the tabs of all neighbouring lines that start with one: changing a single line would break their
 * alignment.
 */
export function indentWithSpaces({ path, text, diagnostic: { range } }: Problem): readonly Remedy[] {
  if (text[range.start] !== '\t') return []
  const lines = linesOf(text)
  const here = lines.findLastIndex(({ start }) => start <= range.start)
  const isOther = ({ indent, isBlank }: Line) => !isBlank && !indent.includes('\t')
  const before = lines.slice(0, here).findLastIndex(isOther)
  const after = lines.findIndex((line, index) => index > here && isOther(line))
  const edits = lines
    .slice(before + 1, after < 0 ? lines.length : after)
    .filter(({ indent }) => indent.includes('\t'))
    .map(({ start, indent }): TextEdit => {
      const newText = indent.replaceAll('\t', ' '.repeat(tabWidth))
      return { path, range: { start, end: start + indent.length }, newText }
    })
  return edits.length === 0 ? [] : [{ title: 'Indent with spaces', edits }]
}

interface Line {
  readonly start: number
  readonly indent: string
  readonly isBlank: boolean
}

function linesOf(text: string): readonly Line[] {
  return Array.from(text.matchAll(/^([ \t]*)(.*)$/gm), ({ index, 1: indent = '', 2: rest = '' }) => ({
    start: index,
    indent,
    isBlank: rest.trim() === '',
  }))
}
