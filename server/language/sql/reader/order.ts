/** Reads ORDER BY of queries, calls and windows. */
import type { OrderItem, Span } from '../tree.ts'
import { isSlipOfClause } from './clause-words.ts'
import { readExpression } from './expression.ts'
import { type ListRules, readItems } from './lists.ts'
import { beginsOperand } from './operand.ts'
import { advance, peek, type Reader, take } from './reader.ts'
import { correctWord, readBy } from './slips.ts'

export interface OrderBy {
  readonly items: readonly OrderItem[]
  readonly all: Span | undefined
  /** The start after ORDER BY. */
  readonly bodyStart: number
}

const enders = new Set(['rows', 'range', 'groups', 'ignore', 'respect'])

const orderRules: ListRules = {
  begins: reader => beginsOperand(reader),
  goesOn: reader => beginsOperand(reader) && !enders.has(reader.token.word) && !isSlipOfClause(reader),
  trailing: false,
  close: 'end',
}

/** Reads from the word ORDER. */
export function readOrderBy(reader: Reader): OrderBy {
  advance(reader)
  readBy(reader)
  const bodyStart = reader.end
  if (reader.token.word === 'all' && reader.grammar.features.byAll) {
    const { start, end } = advance(reader)
    readDirection(reader)
    return { items: [], all: { start, end }, bodyStart }
  }
  return { items: readItems(reader, orderRules, readOrderItem), all: undefined, bodyStart }
}

function readOrderItem(reader: Reader): OrderItem {
  const { start } = reader.token
  const expression = readExpression(reader)
  readDirection(reader)
  return { start: Math.min(start, expression.start), end: reader.end, expression }
}

const directions = ['asc', 'desc', 'nulls']

function readDirection(reader: Reader): void {
  correctWord(reader, directions)
  if (take(reader, 'using')) advance(reader)
  else if (!take(reader, 'asc')) take(reader, 'desc')
  if (reader.token.word !== 'nulls') return
  const next = peek(reader).word
  if (next !== 'first' && next !== 'last') return
  advance(reader)
  advance(reader)
}
