/** SQL that is no single SELECT: syntax errors, other statements, several statements. */
import type { SqlTree } from '../language/lineage/sql-tree.ts'
import { sqlTokens } from '../language/syntax/sql-tokens.ts'
import type { Range } from '../language/text/range.ts'
import type { Binder } from './binder.ts'
import type { Patient } from './diagnose.ts'
import type { Finding } from './findings.ts'
import { quotedIn, sentence } from './phrases.ts'
import { type SqlPlaces, sqlPlaces } from './sql-places.ts'

export interface SyntaxProblem extends Finding {
  /** Where the parser stopped, in the SQL; undefined for what is no syntax error. */
  readonly at?: number
}

export async function syntaxProblem(binder: Binder, patient: Patient): Promise<SyntaxProblem> {
  const [json] = await binder.trees([patient.sql])
  return problemOf(patient, JSON.parse(json ?? '{}') as SqlTree)
}

function problemOf(patient: Patient, tree: SqlTree): SyntaxProblem {
  const tokens = sqlTokens(patient.sql).filter(token => token.kind !== 'comment')
  const [first] = tokens
  const hint = 'A transform is one SELECT; the table is made from it by svc.'
  if (!first)
    return { code: 'sql-not-a-select', message: 'there is no SQL here', hint, range: { start: 0, end: 0 } }
  if (tree.error && tree.error_type !== 'not implemented') return parserProblem(patient, tree)
  if ((tree.statements?.length ?? 0) > 1) {
    const end = tokens.findIndex(token => patient.sql[token.start] === ';')
    const second = tokens[end + 1] ?? first
    return { code: 'sql-not-a-select', message: 'more than one statement', hint, range: second }
  }
  const word = patient.sql.slice(first.start, first.end).toUpperCase()
  return { code: 'sql-not-a-select', message: `${word} is not a SELECT`, hint, range: first }
}

function parserProblem({ sql }: Patient, tree: SqlTree): SyntaxProblem {
  const message = sentence(tree.error_message ?? 'syntax error')
  const places = sqlPlaces(sql)
  const named = tree.position === undefined ? namedPlace(sql, places, message) : undefined
  if (tree.position === undefined) return { code: 'sql-syntax', message, range: named ?? wholeText(sql) }
  const range = places.tokenAt(Number(tree.position))
  const at = places.offset(Number(tree.position))
  if (range.start < range.end) return { code: 'sql-syntax', message, range, at }
  const last = places.tokens().at(-1) ?? range
  return { code: 'sql-syntax', message: 'the statement ends too early', range: last, at }
}

/** The name in quotes, or else the keyword that the message begins with, where it can only be one. */
function namedPlace(sql: string, places: SqlPlaces, message: string): Range | undefined {
  const [quoted] = quotedIn(message)
  if (quoted !== undefined) return places.findName(quoted, 0)
  const [first = ''] = message.toLowerCase().split(' ')
  const word = (token: Range | undefined): string =>
    token ? sql.slice(token.start, token.end).toLowerCase() : ''
  const tokens = places.tokens().filter(token => token.kind !== 'comment')
  const all = tokens.filter(token => word(token) === first)
  const bare = tokens.filter(
    (token, index) => word(token) === first && /^(from|\)|)$/.test(word(tokens[index + 1])),
  )
  const [only, ...more] = first === 'select' ? bare : all
  return more.length === 0 ? only : undefined
}

function wholeText(sql: string): Range {
  return { start: sql.length - sql.trimStart().length, end: sql.trimEnd().length }
}
