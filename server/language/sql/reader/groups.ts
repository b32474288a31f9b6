/** Reads GROUP BY. */
import type { Expression, GroupItem, Span } from '../tree.ts'
import { isSlipOfClause } from './clause-words.ts'
import { deepest, skipTooDeep } from './depth.ts'
import { readExpression } from './expression.ts'
import { type ListRules, readClose, readItems } from './lists.ts'
import { beginsOperand } from './operand.ts'
import { advance, is, peek, type Reader } from './reader.ts'

const groupRules: ListRules = {
  begins: reader => beginsOperand(reader),
  goesOn: reader => beginsOperand(reader) && !isSlipOfClause(reader),
  trailing: true,
  close: 'end',
}
const setRules: ListRules = { ...groupRules, close: ')' }

export interface Groups {
  readonly groups: readonly GroupItem[]
  readonly all: Span | undefined
}

/** Reads the items after GROUP BY. */
export function readGroups(reader: Reader): Groups {
  if (reader.token.word === 'all' && reader.grammar.features.byAll) {
    const { start, end } = advance(reader)
    return { groups: [], all: { start, end } }
  }
  if (reader.token.word === 'distinct') advance(reader)
  return { groups: readItems(reader, groupRules, readGroup), all: undefined }
}

function readGroup(reader: Reader): GroupItem {
  const { start, word } = reader.token
  const next = peek(reader).word
  if (word === '(' && next === ')') {
    advance(reader)
    advance(reader)
    return { kind: 'empty', start, end: reader.end, expressions: [] }
  }
  if ((word === 'rollup' || word === 'cube') && next === '(') {
    advance(reader)
    return groupOf(reader, word, start)
  }
  if (word === 'grouping' && next === 'sets') {
    advance(reader)
    advance(reader)
    return groupOf(reader, 'sets', start)
  }
  const expression = readExpression(reader)
  return {
    kind: 'plain',
    start: Math.min(start, expression.start),
    end: reader.end,
    expressions: [expression],
  }
}

/** Returns all expressions of nested groups. */
function readMembers(reader: Reader): readonly Expression[] {
  if (reader.token.word !== '(') return []
  if (reader.depth >= deepest) return [skipTooDeep(reader)]
  advance(reader)
  reader.depth++
  const groups = is(reader, ')') ? [] : readItems(reader, setRules, readGroup)
  reader.depth--
  readClose(reader, ')')
  return groups.flatMap(({ expressions }) =>
    expressions.flatMap(each => (each.kind === 'row' ? each.items : [each])),
  )
}

function groupOf(reader: Reader, kind: 'rollup' | 'cube' | 'sets', start: number): GroupItem {
  const expressions = readMembers(reader)
  return { kind, start, end: reader.end, expressions }
}
