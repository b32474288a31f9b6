/** Removes unmatched closing brackets before the text is read. */
import { wordSet } from '../grammar.ts'
import type { Doubt, SyntaxProblem } from '../tree.ts'
import { doubtBefore } from './doubt.ts'
import { deletion, problemAt } from './problems.ts'
import type { Token } from './reader.ts'

const opening: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

interface Open {
  readonly index: number
  readonly word: string
  /** Whether FROM is directly inside it. */
  hasFrom: boolean
}

/** The bracket that ends a query in FROM which has no FROM itself. */
interface WithoutFrom {
  readonly index: number
  /** The number of brackets that are open around it. */
  readonly depth: number
  /** Whether its FROM was found after it. */
  isConfirmed: boolean
}

interface Statement {
  readonly open: Open[]
  /** The number of open brackets of each kind. */
  readonly counts: Map<string, number>
  /** The closing bracket of a query with something after it that cannot follow it. */
  candidate: number | undefined
  withoutFrom: WithoutFrom | undefined
}

/** Returns the tokens without unmatched brackets; each of these is reported. */
export function withoutStrays(tokens: Token[], problems: SyntaxProblem[]): Token[] {
  const strays = findStrays(tokens)
  if (strays.size === 0) return tokens
  for (const index of [...strays].sort((a, b) => a - b)) {
    const token = tokens[index]
    if (token !== undefined) problems.push(strayProblem(token, doubtBefore(tokens, index)))
  }
  return tokens.filter((_, index) => !strays.has(index))
}

function findStrays(tokens: readonly Token[]): ReadonlySet<number> {
  const strays = new Set<number>()
  let statement = newStatement()
  for (let index = 0; index < tokens.length; index++) {
    const { word, kind } = tokens[index] as Token
    if (kind === 'word') seeWord(statement, word)
    if (kind !== 'symbol') continue
    if (word === ';') statement = newStatement()
    else if (word === '(' || word === '[' || word === '{') open(statement, index, word)
    else if (word in opening) close(statement, tokens, index, strays)
  }
  return strays
}

function newStatement(): Statement {
  return { open: [], counts: new Map(), candidate: undefined, withoutFrom: undefined }
}

function open(statement: Statement, index: number, word: string): void {
  statement.open.push({ index, word, hasFrom: false })
  statement.counts.set(word, (statement.counts.get(word) ?? 0) + 1)
}

function close(statement: Statement, tokens: readonly Token[], index: number, strays: Set<number>): void {
  const word = opening[tokens[index]?.word ?? ''] ?? ''
  if ((statement.counts.get(word) ?? 0) === 0) {
    strays.add(blamed(statement, tokens, index))
    return
  }
  // Brackets that are open inside one that closes were never closed.
  for (let last = statement.open.pop(); last !== undefined; last = statement.open.pop()) {
    statement.counts.set(last.word, (statement.counts.get(last.word) ?? 1) - 1)
    if (last.word !== word) continue
    if (isEarlyClose(tokens, last.index, index)) statement.candidate = index
    if (isWithoutFrom(tokens, last))
      statement.withoutFrom = { index, depth: statement.open.length, isConfirmed: false }
    return
  }
}

const behindQuery = wordSet(', ) ; select with ( union except intersect as using')
const beforeQuery = new Set(['as', 'materialized'])

/** Returns whether a CTE's bracket closes in the middle of its query: `AS (SELECT …) FROM`. */
function isEarlyClose(tokens: readonly Token[], from: number, to: number): boolean {
  const next = tokens[to + 1]
  if (next === undefined || behindQuery.has(next.word)) return false
  return beforeQuery.has(tokens[from - 1]?.word ?? '') && tokens[from + 1]?.word === 'select'
}

const beforeTable = new Set(['from', 'join'])

function isWithoutFrom(tokens: readonly Token[], { index, hasFrom }: Open): boolean {
  return !hasFrom && beforeTable.has(tokens[index - 1]?.word ?? '') && tokens[index + 1]?.word === 'select'
}

/**
 * Checks for `FROM (SELECT f(a)) AS b, c FROM t)`: the second FROM at one depth belongs to the query without
 * one.
 */
function seeWord(statement: Statement, word: string): void {
  const { open, withoutFrom } = statement
  if (word !== 'from' && word !== 'select') return
  const around = open.at(-1)
  if (around !== undefined && word === 'from') around.hasFrom = true
  if (withoutFrom === undefined || withoutFrom.depth !== open.length || withoutFrom.isConfirmed) return
  if (word === 'from') withoutFrom.isConfirmed = true
  else statement.withoutFrom = undefined
}

/**
 * Returns the bracket to blame. If one closes a CTE or a query in FROM too early, the unmatched one at the
 * end is the right one.
 */
function blamed(statement: Statement, tokens: readonly Token[], index: number): number {
  const { candidate, withoutFrom } = statement
  if (withoutFrom?.isConfirmed) {
    statement.withoutFrom = undefined
    return withoutFrom.index
  }
  const next = tokens[index + 1]?.word
  if (candidate === undefined || (next !== ',' && next !== 'select')) return index
  statement.candidate = undefined
  return candidate
}

function strayProblem(token: Token, doubt: Doubt): SyntaxProblem {
  return problemAt(token, 'a bracket too many', {
    hint: `No ${opening[token.word] ?? 'bracket'} is open here: remove it.`,
    repair: [deletion(token)],
    fix: 'Remove the bracket',
    doubt,
  })
}
