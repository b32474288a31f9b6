/**
 * Finds the words of a query that give a name of their own to a column or a field: aliases, lists of columns, fields of
 * structs. An engine that keeps their spelling shows it to every reader of the table; a word that only looks a name up does
 * not count, as the spelling is that of the place which gave it.
 */
import type { Engine } from '../engines/engine.ts'
import type { SqlToken } from '../engines/sql-token.ts'

/** What a bracket, or the text itself, is at this place. */
type Part =
  /** Nothing is known yet: an expression, arguments of a function. */
  | 'start'
  | 'with'
  | 'select'
  | 'from'
  /** Clauses behind the FROM clause. */
  | 'clause'
  /** The columns of an alias or a common table expression. */
  | 'columns'
  /** The fields of a type. */
  | 'fields'
  | 'cast'

interface Reader {
  readonly engine: Engine
  readonly words: readonly string[]
  readonly tokens: readonly SqlToken[]
  readonly hasPivot: boolean
}

const clauses = new Set(
  `where group having order limit offset qualify window union except intersect using fetch into`.split(' '),
)
const ends = new Set(['', ',', ')', ';', 'from', ...clauses])
const valueEnds = new Set(['end', 'null', 'true', 'false'])

/** Returns the tokens that give a name. `tokens` has no comments. */
export function newNames(sql: string, tokens: readonly SqlToken[], engine: Engine): ReadonlySet<SqlToken> {
  const words = tokens.map(({ start, end }) => sql.slice(start, end).toLowerCase())
  const hasPivot = words.includes('unpivot') || words.includes('pivot')
  const reader = { engine, words, tokens, hasPivot }
  const found = new Set<SqlToken>()
  const open: Part[] = ['start']
  for (const [index, token] of tokens.entries()) {
    const part = open.at(-1) ?? 'start'
    const word = words[index] ?? ''
    if (word === '(') open.push(partBehind(reader, index, part))
    else if (word === ')' && open.length > 1) open.pop()
    else if (token.kind === 'word') {
      open[open.length - 1] = partFrom(reader, index, part)
      if (givesName(reader, index, part)) found.add(token)
    }
  }
  return found
}

function partFrom({ words }: Reader, index: number, part: Part): Part {
  if (part === 'columns' || part === 'fields' || part === 'cast') return part
  const word = words[index] ?? ''
  if (words[index - 1] === '.' || words[index - 1] === 'as') return part
  if (word === 'select') return 'select'
  if (part !== 'start' && word === 'from') return 'from'
  if (part === 'start') return word === 'with' ? 'with' : word === 'from' ? 'from' : part
  return part !== 'with' && clauses.has(word) ? 'clause' : part
}

/** Returns what the bracket is that opens at the index. */
function partBehind(reader: Reader, index: number, part: Part): Part {
  const { words, tokens } = reader
  const before = words[index - 1] ?? ''
  if (before === 'cast' || before === 'try_cast') return 'cast'
  if (before === 'struct' || before === 'union') return 'fields'
  if (tokens[index - 1]?.kind !== 'word' && tokens[index - 1]?.kind !== 'quoted') return 'start'
  if (part === 'with') return before === 'as' || before === 'materialized' ? 'start' : 'columns'
  if (part !== 'from' || isReserved(reader, index - 1)) return 'start'
  return words[index - 2] === 'as' || endsValue(reader, index - 2) ? 'columns' : 'start'
}

function givesName(reader: Reader, index: number, part: Part): boolean {
  const { words } = reader
  const before = words[index - 1] ?? ''
  const next = words[index + 1] ?? ''
  if (part === 'columns') return before === '(' || before === ','
  if (part === 'fields') return (before === '(' || before === ',') && !ends.has(next)
  if (next === ':' || next === ':=') return true
  if (part === 'select' && ends.has(next) && (before === 'as' || before === '.')) return true
  if (isReserved(reader, index) || next === '(') return false
  if (before === 'as') return part !== 'cast' && part !== 'from'
  if (isOfPivot(reader, index)) return true
  if (part !== 'select' || !ends.has(next)) return false
  return endsValue(reader, index - 1) || reader.engine.binding.valueWords.has(words[index] ?? '')
}

function isReserved({ engine, words }: Reader, index: number): boolean {
  return engine.words.reserved.has(words[index] ?? '')
}

/** `a` of `count(*) a` stands behind a value, and is its name. */
function endsValue(reader: Reader, index: number): boolean {
  const { tokens, words } = reader
  const word = words[index] ?? ''
  switch (tokens[index]?.kind) {
    case 'word':
      return valueEnds.has(word) || !isReserved(reader, index)
    case 'punctuation':
      return word === ')' || word === ']' || word === '}'
    case undefined:
    case 'operator':
    case 'comment':
      return false
    default:
      return true
  }
}

/** `UNPIVOT a ON b INTO NAME c VALUE d`, `UNPIVOT (d FOR c IN (b))`. */
function isOfPivot({ words, hasPivot }: Reader, index: number): boolean {
  const before = words[index - 1] ?? ''
  return (
    hasPivot && (before === 'name' || before === 'value' || before === 'for' || words[index + 1] === 'for')
  )
}
