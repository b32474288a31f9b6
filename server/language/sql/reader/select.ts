/** Reads `SELECT … FROM …` with its clauses in any order. */
import { wordSet } from '../grammar.ts'
import type {
  ClauseKind,
  Expression,
  GroupItem,
  NamedWindow,
  Select,
  SelectItem,
  Span,
  TableExpression,
} from '../tree.ts'
import {
  correctClause,
  passJunk,
  readLateJoin,
  reportFromFirst,
  reportOrder,
  reportSecond,
} from './clause-slips.ts'
import { closeClause, type OpenClause, openClause, readSample } from './clauses.ts'
import { readCondition } from './conditions.ts'
import { readGroups } from './groups.ts'
import { type ListRules, readItems } from './lists.ts'
import { isName } from './names.ts'
import { advance, peek, type Reader } from './reader.ts'
import { readDistinct, readSelectItems } from './select-items.ts'
import { readBy } from './slips.ts'
import { readTable, readTables } from './tables.ts'
import { readNamedWindow } from './windows.ts'

/** A SELECT whose clauses are still being read. */
export interface SelectBuilding extends Select {
  end: number
  selectWord: Span | undefined
  distinct: boolean
  distinctOn: readonly Expression[]
  readonly items: SelectItem[]
  readonly from: TableExpression[]
  where: Expression | undefined
  readonly groupBy: GroupItem[]
  groupByAll: Span | undefined
  having: Expression | undefined
  readonly windows: NamedWindow[]
  qualify: Expression | undefined
  readonly clauses: OpenClause[]
}

function emptySelect(start: number): SelectBuilding {
  return {
    kind: 'select',
    start,
    end: start,
    selectWord: undefined,
    distinct: false,
    distinctOn: [],
    items: [],
    from: [],
    where: undefined,
    groupBy: [],
    groupByAll: undefined,
    having: undefined,
    windows: [],
    qualify: undefined,
    clauses: [],
  }
}

/** The required order of the clauses; FROM may come before SELECT. */
const ranks: ReadonlyMap<string, number> = new Map(
  [...wordSet('select from where group having window qualify sample')].map((word, rank) => [word, rank]),
)

export function readSelect(reader: Reader): SelectBuilding {
  const select = emptySelect(reader.token.start)
  readClauses(reader, select)
  select.end = Math.max(select.start, reader.end)
  return select
}

/** Reads clauses of a SELECT as long as there are any. */
function readClauses(reader: Reader, select: SelectBuilding): void {
  const isFromFirst = reader.token.word === 'from'
  if (isFromFirst && !reader.grammar.features.fromFirst) reportFromFirst(reader)
  let last = -1
  if (!ranks.has(clauseWord(reader))) {
    last = 0
    readBareList(reader, select)
  }
  for (;;) {
    const word = clauseWord(reader)
    const rank = ranks.get(word)
    if (rank === undefined) {
      if (correctClause(reader, select) || readLateJoin(reader, select) || passJunk(reader)) continue
      return
    }
    const isAgain = rank === last || (word === 'select' && select.selectWord !== undefined)
    if (isAgain && !reportSecond(reader, word, select)) return
    const isLate = !isAgain && rank < last && !(isFromFirst && word === 'select' && last === 1)
    last = Math.max(last, rank)
    readClause(reader, select, word)
    if (isLate) reportOrder(reader, select.clauses)
  }
}

/** Reads a clause of the SELECT after ORDER BY or LIMIT. */
export function readLateClause(reader: Reader, select: SelectBuilding): boolean {
  const word = clauseWord(reader)
  if (word === 'select' || !ranks.has(word) || !reader.isTop) return false
  readClause(reader, select, word)
  reportOrder(reader, select.clauses)
  return true
}

function addTo<T>(list: T[], more: readonly T[]): void {
  for (const each of more) list.push(each)
}

/** Reads a select list whose SELECT is missing. */
function readBareList(reader: Reader, select: SelectBuilding): void {
  const { start } = reader.token
  const clause = openClause(reader, select.clauses, 'select', start)
  clause.bodyStart = start
  addTo(select.items, readSelectItems(reader, select))
  closeClause(reader, clause)
}

function clauseWord(reader: Reader): string {
  const { word } = reader.token
  return word === 'using' && peek(reader).word === 'sample' ? 'sample' : word
}

/** Reads a clause from its first word. */
function readClause(reader: Reader, select: SelectBuilding, word: string): void {
  const { start } = advance(reader)
  const kind = word as ClauseKind
  const clause = openClause(reader, select.clauses, kind, start)
  switch (word) {
    case 'select':
      select.selectWord = { start, end: reader.end }
      readSelectClause(reader, select, clause)
      break
    case 'from':
      addTo(select.from, readTables(reader, select.selectWord !== undefined))
      break
    case 'group':
      readGroupClause(reader, select, clause)
      break
    case 'window':
      addTo(select.windows, readItems(reader, windowRules, readNamedWindow))
      break
    case 'sample':
      advance(reader)
      clause.bodyStart = reader.end
      readSample(reader)
      break
    default: {
      const key = word as 'where' | 'having' | 'qualify'
      select[key] = readCondition(reader, select[key])
    }
  }
  closeClause(reader, clause)
}

const windowRules: ListRules = {
  begins: (reader, token) => isName(token) && peek(reader).word === 'as',
  trailing: false,
  close: 'end',
}

function readSelectClause(reader: Reader, select: SelectBuilding, clause: OpenClause): void {
  readDistinct(reader, select)
  clause.bodyStart = reader.end
  addTo(select.items, readSelectItems(reader, select))
}

function readGroupClause(reader: Reader, select: SelectBuilding, clause: OpenClause): void {
  readBy(reader)
  clause.bodyStart = reader.end
  const { groups, all } = readGroups(reader)
  addTo(select.groupBy, groups)
  select.groupByAll = all ?? select.groupByAll
}

/** Reads `TABLE t`. */
export function readTableStatement(reader: Reader): Select {
  const select = emptySelect(reader.token.start)
  const { start } = advance(reader)
  const clause = openClause(reader, select.clauses, 'from', start)
  select.from.push(readTable(reader))
  closeClause(reader, clause)
  select.end = reader.end
  return select
}
