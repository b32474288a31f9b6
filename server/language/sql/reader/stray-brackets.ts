/** Closing brackets that close nothing are taken out before the reading. */
import type { SyntaxProblem } from '../tree.ts'
import type { Token } from './reader.ts'

const opening: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

interface Open {
  readonly index: number
  readonly word: string
}

interface Statement {
  readonly open: Open[]
  /** How many of each are open. */
  readonly counts: Map<string, number>
  /** A query's closing bracket with something behind it that cannot follow it. */
  candidate: number | undefined
}

/** The tokens without strays; each of these is a problem. */
export function withoutStrays(tokens: Token[], problems: SyntaxProblem[]): Token[] {
  const strays = findStrays(tokens)
  if (strays.size === 0) return tokens
  for (const index of [...strays].sort((a, b) => a - b)) {
    const token = tokens[index]
    if (token !== undefined) problems.push(strayProblem(token))
  }
  return tokens.filter((_, index) => !strays.has(index))
}

function findStrays(tokens: readonly Token[]): ReadonlySet<number> {
  const strays = new Set<number>()
  let statement = newStatement()
  for (const [index, { word, kind }] of tokens.entries()) {
    if (kind !== 'symbol') continue
    if (word === ';') statement = newStatement()
    else if (word === '(' || word === '[' || word === '{') open(statement, index, word)
    else if (word in opening) close(statement, tokens, index, strays)
  }
  return strays
}

function newStatement(): Statement {
  return { open: [], counts: new Map(), candidate: undefined }
}

function open(statement: Statement, index: number, word: string): void {
  statement.open.push({ index, word })
  statement.counts.set(word, (statement.counts.get(word) ?? 0) + 1)
}

function close(statement: Statement, tokens: readonly Token[], index: number, strays: Set<number>): void {
  const word = opening[tokens[index]?.word ?? ''] ?? ''
  if ((statement.counts.get(word) ?? 0) === 0) {
    strays.add(blamed(statement, tokens, index))
    return
  }
  // What is open inside of a bracket that closes was never closed itself.
  for (let last = statement.open.pop(); last !== undefined; last = statement.open.pop()) {
    statement.counts.set(last.word, (statement.counts.get(last.word) ?? 1) - 1)
    if (last.word !== word) continue
    if (isEarlyClose(tokens, last.index, index)) statement.candidate = index
    return
  }
}

const behindQuery = new Set([
  ',',
  ')',
  ';',
  'select',
  'with',
  '(',
  'union',
  'except',
  'intersect',
  'as',
  'using',
])
const beforeQuery = new Set(['as', 'materialized'])

/** `AS (SELECT …) FROM`: the bracket of a CTE closes where its query goes on. */
function isEarlyClose(tokens: readonly Token[], from: number, to: number): boolean {
  const next = tokens[to + 1]
  if (next === undefined || behindQuery.has(next.word)) return false
  return beforeQuery.has(tokens[from - 1]?.word ?? '') && tokens[from + 1]?.word === 'select'
}

/** Where one closes a CTE's bracket too early, the last one is the CTE's. */
function blamed(statement: Statement, tokens: readonly Token[], index: number): number {
  const { candidate } = statement
  const next = tokens[index + 1]?.word
  if (candidate === undefined || (next !== ',' && next !== 'select')) return index
  statement.candidate = undefined
  return candidate
}

function strayProblem({ start, end, word }: Token): SyntaxProblem {
  const repair = [{ start, end, text: '' }]
  return {
    start,
    end,
    message: 'a bracket too many',
    hint: `No ${opening[word] ?? 'bracket'} is open here: remove it.`,
    suggestions: [],
    repair,
    fix: { title: 'Remove the bracket', edits: repair },
  }
}
