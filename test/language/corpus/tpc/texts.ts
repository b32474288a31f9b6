/**
 * The queries of TPC-H and TPC-DS and the tables that they read. Their text belongs to the TPC, so it is not kept here:
 * `node scripts/corpus.mjs fetch` takes it out of the source package of sqlglot (MIT), which is pinned.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { engine } from '../../../support/engine.ts'

export type Benchmark = 'tpc-h' | 'tpc-ds'

export interface BenchmarkTexts {
  readonly name: Benchmark
  /** Columns with their types, by table. */
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** In the order of the specification. */
  readonly queries: readonly string[]
}

/** Undefined where the texts were not fetched. */
export function readBenchmark(root: string, name: Benchmark): BenchmarkTexts | undefined {
  const folder = join(root, '.cache/tpc')
  const queries = join(folder, `${name}.sql`)
  const helpers = join(folder, 'helpers.py')
  if (!existsSync(queries) || !existsSync(helpers)) return undefined
  return {
    name,
    tables: tablesOf(readFileSync(helpers, 'utf8'), name),
    queries: queriesOf(readFileSync(queries, 'utf8')),
  }
}

/** Behind each query stands what sqlglot's optimizer makes of it; lines with `#` say how its own test runs it. */
function queriesOf(text: string): readonly string[] {
  const lines = text.split('\n').filter(line => !/^(--|#)/.test(line) && line.trim() !== '')
  return lines
    .join('\n')
    .split(';')
    .filter((each, index) => index % 2 === 0 && each.trim() !== '')
    .map(each => each.trim())
}

/** sqlglot reads dates as texts out of CSV files; in the specification they are dates. */
function typeOf(column: string, type: string): string {
  if (type !== 'string') return type.toUpperCase()
  return column.endsWith('date') ? 'DATE' : 'VARCHAR'
}

/** `TPCH_SCHEMA = {"table": {"column": "type"}}`, written in Python. */
function tablesOf(python: string, name: Benchmark): BenchmarkTexts['tables'] {
  const constant = name === 'tpc-h' ? 'TPCH_SCHEMA' : 'TPCDS_SCHEMA'
  const [, body = ''] = new RegExp(`^${constant} = \\{\\n([\\s\\S]*?)^\\}`, 'm').exec(python) ?? []
  const tables = new Map<string, ReadonlyMap<string, string>>()
  for (const [, table = '', columns = ''] of body.matchAll(/^ {4}"(\w+)": \{([^}]*)\}/gm)) {
    const pairs = [...columns.matchAll(/"(\w+)": "(\w+)"/g)]
    tables.set(table, new Map(pairs.map(([, column = '', type = '']) => [column, typeOf(column, type)])))
  }
  return tables
}

const clauseWords = /^(select|from|where|group|having|order|limit)$/

/** The query with `{{ ref('…') }}` in place of each table of the benchmark. */
export function withRefs(query: string, { tables }: BenchmarkTexts): string {
  const tokens = engine.tokens(query).filter(token => token.kind !== 'comment')
  const clauses = ['']
  let result = ''
  let end = 0
  let before = ''
  for (const token of tokens) {
    const text = query.slice(token.start, token.end).toLowerCase()
    if (text === '(') clauses.push(clauses.at(-1) ?? '')
    else if (text === ')') clauses.pop()
    else if (clauseWords.test(text)) clauses.splice(-1, 1, text)
    const isPlace = /^(from|join)$/.test(before) || (clauses.at(-1) === 'from' && /^[,(]$/.test(before))
    before = text
    if (token.kind !== 'word' || !tables.has(text) || !isPlace) continue
    result += `${query.slice(end, token.start)}{{ ref('${text}') }}`
    end = token.end
  }
  return result + query.slice(end)
}

/** An asset for each table. */
export function tableFiles({ tables }: BenchmarkTexts): readonly { path: string; text: string }[] {
  return Array.from(tables, ([name, columns]) => {
    const list = Array.from(columns, ([column, type]) => `NULL::${type} AS ${column}`).join(',\n    ')
    return {
      path: `models/${name}.svc`,
      text: `name: ${name}\ningest: none\ntransform: |\n  SELECT\n    ${list}\n`,
    }
  })
}

export function queryFile(name: string, sql: string): { path: string; text: string } {
  const indented = sql.replaceAll('\n', '\n  ')
  return { path: `models/${name}.svc`, text: `name: ${name}\ningest: none\ntransform: |\n  ${indented}\n` }
}
