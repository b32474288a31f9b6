/** Reads brackets of every kind: around an expression, a row, a query, a list, a struct, a map. */
import type { Expression, NestedBody, Query, StructEntry } from '../tree.ts'
import { correctSelect } from './clause-slips.ts'
import { isPredicate, readConditionsBehind } from './conditions.ts'
import { readExpression } from './expression.ts'
import { type ListRules, readClose, readItems } from './lists.ts'
import { emptyBrackets, reportMissingColon } from './missing.ts'
import { readNameThere } from './names.ts'
import { queryAsValue } from './nodes.ts'
import { beginsOperand } from './operand.ts'
import { missingAt } from './problems.ts'
import { beginsQuery, continueQuery, goesOnAsQuery, readQuery } from './query.ts'
import { advance, type Reader, take } from './reader.ts'

export const expressionsIn: Readonly<Record<')' | ']', ListRules>> = {
  ')': { begins: reader => beginsOperand(reader), trailing: true, close: ')' },
  ']': { begins: reader => beginsOperand(reader), trailing: true, close: ']' },
}

const rowRules: ListRules = { begins: reader => beginsOperand(reader), trailing: false, close: ')' }

interface Inside {
  readonly query: Query | undefined
  readonly items: readonly Expression[]
}

/** Reads `(…)` as an operand. Brackets around one expression are no node of their own. */
export function readBracket(reader: Reader): Expression {
  const { start } = reader.token
  const { query, items } = readInside(reader, rowRules)
  const { end } = reader
  if (query !== undefined) return queryAsValue({ start, end }, 'scalar', query)
  const [first = missingAt(end), ...more] = items
  return more.length === 0 ? first : { kind: 'row', start, end, items }
}

/** Reads the brackets after IN, ANY and ALL. */
export function readSubqueryOrItems(reader: Reader): Inside {
  const inside = readInside(reader, expressionsIn[')'])
  const [first, ...more] = inside.items
  const isNested = first?.kind === 'subquery' && first.form === 'scalar' && more.length === 0
  return isNested ? { query: first.query, items: [] } : inside
}

function readInside(reader: Reader, rules: ListRules): Inside {
  const open = advance(reader)
  if (beginsQuery(reader) || correctSelect(reader))
    return { query: closed(reader, readQuery(reader, open.end)), items: [] }
  if (reader.token.word === ')') return { query: undefined, items: [emptyBrackets(reader, open)] }
  const { start } = reader.token
  const read = readExpression(reader)
  const first = isPredicate(read) ? readConditionsBehind(reader, read) : read
  if (first.kind === 'subquery' && first.form === 'scalar' && goesOnAsQuery(reader)) {
    const nested: NestedBody = { kind: 'nested', start, end: reader.end, query: first.query }
    return { query: closed(reader, continueQuery(reader, open.end, nested)), items: [] }
  }
  const items = readItemsBehind(reader, first, rules)
  readClose(reader, ')')
  return { query: undefined, items }
}

/** Reads the items after the first one. */
function readItemsBehind(reader: Reader, first: Expression, rules: ListRules): Expression[] {
  let isFirst = true
  return readItems(reader, rules, () => {
    if (!isFirst) return readExpression(reader)
    isFirst = false
    return first
  })
}

function closed(reader: Reader, query: Query): Query {
  readClose(reader, ')')
  return query
}

// ---------------------------------------------------------------- lists, structs, maps

/** Reads `[a, b]` and `[x FOR x IN list IF …]`; `start` is that of ARRAY before it. */
export function readListLiteral(reader: Reader, start: number): Expression {
  advance(reader)
  if (take(reader, ']')) return { kind: 'list', start, end: reader.end, items: [] }
  const first = readExpression(reader)
  if (take(reader, 'for')) return readComprehension(reader, start, first)
  const items = readItemsBehind(reader, first, expressionsIn[']'])
  readClose(reader, ']')
  return { kind: 'list', start, end: reader.end, items }
}

const variableRules: ListRules = { begins: (_, token) => token.word !== 'in', trailing: false, close: '' }

function readComprehension(reader: Reader, start: number, element: Expression): Expression {
  const variables = readItems(reader, variableRules, () => readNameThere(reader))
  const source = take(reader, 'in') ? readExpression(reader) : missingAt(reader.end)
  const condition = take(reader, 'if') ? readExpression(reader) : undefined
  readClose(reader, ']')
  return { kind: 'comprehension', start, end: reader.end, element, variables, source, condition }
}

const entryRules: ListRules = { begins: (_, token) => token.word !== '}', trailing: true, close: '' }

/** Reads `{'a': 1}`. */
export function readStructLiteral(reader: Reader): Expression {
  const { start } = advance(reader)
  const entries = reader.token.word === '}' ? [] : readItems(reader, entryRules, readEntry)
  readClose(reader, '}')
  return { kind: 'struct', start, end: reader.end, entries }
}

function readEntry(reader: Reader): StructEntry {
  const { start } = reader.token
  const key = readNameThere(reader)
  const value = readColon(reader) ? readExpression(reader) : missingAt(reader.end)
  return { start: Math.min(start, key.start), end: reader.end, key, value }
}

function readColon(reader: Reader): boolean {
  return take(reader, ':') || reportMissingColon(reader)
}

/** Reads the literal after MAP. */
export function readMapLiteral(reader: Reader, start: number): Expression {
  advance(reader)
  const entries =
    reader.token.word === '}'
      ? []
      : readItems(reader, entryRules, () => {
          const key = readExpression(reader)
          const value = readColon(reader) ? readExpression(reader) : missingAt(reader.end)
          return { key, value }
        })
  readClose(reader, '}')
  return { kind: 'map', start, end: reader.end, entries }
}
