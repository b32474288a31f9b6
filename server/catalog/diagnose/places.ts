/** The range to mark for a node of a statement. */
import type { Range } from '../../language/text/range.ts'
import type { Treatment } from './treatment.ts'
import { anchorOf, type PlacedNode } from './tree-nodes.ts'

export function wholeRange({ statement }: Pick<Treatment, 'statement'>): Range {
  const { text } = statement.template
  const start = text.length - text.trimStart().length
  return { start, end: Math.max(start, text.trimEnd().length) }
}

/**
 * Returns the range to mark: names and literals as a whole, and of longer nodes the operator or the first
 * word.
 */
export function placeOf({ statement }: Pick<Treatment, 'statement'>, { node }: PlacedNode): Range {
  if (wholes.has(node.kind)) return spanOf(node)
  const start = anchorOf(node, statement.template.text)
  const rest = statement.template.text.slice(start, node.end)
  const length =
    /^(?:"(?:[^"]|"")*"|'(?:[^']|'')*'|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_"'(),]+|.)/su.exec(rest)?.[0].length ?? 1
  return { start, end: start + length }
}

const wholes: ReadonlySet<string> = new Set(['reference', 'literal', 'star', 'parameter'])

export function spanOf({ start, end }: Range): Range {
  return { start, end }
}
