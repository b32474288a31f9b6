/**
 * Reads the committed cases, `test/language/corpus/personal/*.sql`. A case is a query, with `@c` for `{{ ref('c') }}`,
 * and a line that begins with `-->`: what each output column tells, between bars.
 *
 *   `-`         nothing of personal columns
 *   `email`     the value of c.email, or a part of it (personal); columns of other tables are written `u.É`
 *   `~email`    only what conditions, counts and keys of order tell (derived)
 *   `email?`    personal or derived: either is right
 *   `~email?`   derived or none: either is right
 *   `email??`   anything is right
 *   `=>`        before the rest: all personal columns of c (personal)
 *   `?`         whatever is said of this column is right
 *   `c.*`       every column of c as one of its own, likewise `o.*`, `p.*` and `u.*`
 *
 * Rules that the cases follow where the decisions leave room: every function is personal, `length` and arithmetic too;
 * a comparison with what a boolean or a column of few values became (`upper(gender) = 'F'`, a CASE of it) is as one
 * with the column; filters, keys of GROUP BY, of joins and of EXCEPT tell the other columns nothing that must be said;
 * a field that is taken out of a struct built in the query tells only of itself.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Grade } from './grades.ts'
import { originKey, tables } from './tables.ts'

export interface Expected {
  /** The least and the most that may be said of each of these origins. */
  readonly origins: ReadonlyMap<string, readonly [least: Grade, most: Grade]>
  /** Nothing that is said is wrong. */
  readonly isOpen: boolean
}

export interface Case {
  readonly file: string
  readonly line: number
  /** The heading that it stands under. */
  readonly topic: string
  readonly sql: string
  readonly columns: readonly Expected[]
}

const folder = join(import.meta.dirname, '../../language/corpus/personal')

export function readCorpus(root = folder): readonly Case[] {
  return readdirSync(root)
    .filter(name => name.endsWith('.sql'))
    .sort()
    .flatMap(name => casesIn(name, readFileSync(join(root, name), 'utf8')))
}

function casesIn(file: string, text: string): Case[] {
  const cases: Case[] = []
  let topic = file
  let query: string[] = []
  text.split('\n').forEach((line, index) => {
    if (line.startsWith('-->')) {
      const columns = line.slice(3).split('|').flatMap(columnsOf)
      cases.push({ file, line: index + 1, topic, sql: query.join('\n'), columns })
      query = []
    } else if (line.startsWith('-- ')) topic = line.slice(3)
    else if (line.trim() !== '') query.push(line)
  })
  if (query.length > 0) throw new Error(`${file}: the last query has no line that begins with -->`)
  return cases
}

function columnsOf(text: string): readonly Expected[] {
  const star = /^\s*([a-z])\.\*\s*$/.exec(text)
  const table = tables.find(each => each.name === star?.[1])
  if (table === undefined) return [columnOf(text)]
  return table.columns.map(({ name, isPersonal }) => ({
    origins: new Map(isPersonal ? [[originKey(table.name, name), ['personal', 'personal']]] : []),
    isOpen: false,
  }))
}

function columnOf(text: string): Expected {
  const words = text.trim().split(/\s+(?=(?:[^"]*"[^"]*")*[^"]*$)/)
  const origins = new Map<string, readonly [Grade, Grade]>()
  for (const word of words) {
    if (word === '-' || word === '?') continue
    if (word === '=>') for (const key of personalOf('c')) origins.set(key, ['personal', 'personal'])
    else origins.set(keyOf(word), boundsOf(word))
  }
  return { origins, isOpen: words.includes('?') }
}

function boundsOf(word: string): readonly [Grade, Grade] {
  if (word.endsWith('??')) return ['none', 'personal']
  const isDoubtful = word.endsWith('?')
  if (word.startsWith('~')) return [isDoubtful ? 'none' : 'derived', 'derived']
  return [isDoubtful ? 'derived' : 'personal', 'personal']
}

function keyOf(word: string): string {
  const written = word.replace(/^~/, '').replace(/\?+$/, '').replaceAll('"', '')
  const [table, column] = written.includes('.') ? written.split('.') : ['c', written]
  const found = tables
    .find(each => each.name === table)
    ?.columns.find(each => each.name.replaceAll('"', '') === column && each.isPersonal)
  if (found === undefined) throw new Error(`"${word}" names no personal column`)
  return originKey(table ?? '', found.name)
}

export function personalOf(table: string): readonly string[] {
  const columns = tables.find(each => each.name === table)?.columns ?? []
  return columns.filter(each => each.isPersonal).map(each => originKey(table, each.name))
}
