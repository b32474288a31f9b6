/**
 * Formats SQL for diffs, with a clause or a column per line, whatever its layout was. Equivalent texts give
 * equal lines, so a diff shows only real changes. The result is for reading and never executed.
 */
import type { Engine, SqlToken } from '@svc/server/language'

const clauses = new Set(
  'with select from where group having order limit offset qualify window union except intersect'.split(' '),
)
const joins = new Set('join left right full inner cross natural asof positional semi anti lateral'.split(' '))

interface Level {
  /** Whether this is a query, whose clauses and columns have their own lines. */
  readonly isQuery: boolean
  readonly indent: number
}

export function sqlLines(sql: string, engine: Engine): string[] {
  const tokens = engine.tokens(sql).filter(({ kind }) => kind !== 'comment')
  const text = (token: SqlToken | undefined) => (token === undefined ? '' : sql.slice(token.start, token.end))
  const levels: Level[] = [{ isQuery: true, indent: 0 }]
  const lines: string[] = []
  let line = ''
  const top = () => levels.at(-1) ?? { isQuery: true, indent: 0 }
  const breakLine = (indent: number) => {
    if (line.trim() !== '') lines.push(line)
    line = ' '.repeat(indent)
  }
  for (const [index, token] of tokens.entries()) {
    const word = text(token)
    const previous = tokens[index - 1]
    const { isQuery, indent } = top()
    if (word === ')') {
      if (levels.length > 1) levels.pop()
      if (isQuery && levels.length > 0 && indent > 0) breakLine(top().indent)
    } else if (
      isQuery &&
      token.kind === 'word' &&
      beginsLine(word, text(previous), text(tokens[index + 1]))
    ) {
      breakLine(indent)
    }
    line += spaceBetween(text(previous), previous, word, line) + word
    if (word === '(') {
      const inner = /^(select|with|from|values)$/i.test(text(tokens[index + 1]))
      levels.push({ isQuery: inner, indent: inner ? indent + 2 : indent })
      if (inner) breakLine(indent + 2)
    }
    if (word === ',' && isQuery) breakLine(indent + 2)
  }
  breakLine(0)
  return lines
}

function beginsLine(word: string, previous: string, next: string): boolean {
  const lower = word.toLowerCase()
  if (clauses.has(lower)) return previous !== '' && !/^(within|filter)$/i.test(previous)
  // `left(x, 3)` is a function; in "left join" the first word starts the line.
  return joins.has(lower) && next !== '(' && !joins.has(previous.toLowerCase()) && !/^outer$/i.test(previous)
}

function spaceBetween(before: string, previous: SqlToken | undefined, word: string, line: string): string {
  if (before === '' || line.trim() === '') return ''
  if (/^([,;.)\]]|::)$/.test(word) || /^([.([]|::)$/.test(before)) return ''
  // A function call has no space before its bracket, a keyword has one.
  if (word === '(') return previous?.kind === 'word' && !isKeyword(before) ? '' : ' '
  if (word === '[') return ''
  return ' '
}

/** `left` is not listed, because `left(x, 3)` is a function. */
const keywords = new Set([
  ...clauses,
  ...'join inner cross lateral as in on using and or not by over filter exclude values then else when exists all'.split(
    ' ',
  ),
  ...'distinct any between'.split(' '),
])

function isKeyword(word: string): boolean {
  return keywords.has(word.toLowerCase())
}
