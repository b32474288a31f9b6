/** What DuckDB accepts is never a problem, and its structure is what DuckDB sees. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { duckdbGrammar } from '../../../server/language/engines/duckdb/grammar.ts'
import { readSql } from '../../../server/language/sql/reader/read-sql.ts'
import type { SqlReading } from '../../../server/language/sql/tree.ts'
import { type SqlNode, walk } from '../../../server/language/sql/walk.ts'
import { lineageCases } from '../../catalog/lineage-cases.ts'
import { validQueries } from '../../catalog/valid-queries.ts'
import { type DuckdbParser, openParser, withoutTags } from './duckdb-parser.ts'
import { misplaced, overlapping } from './misplaced.ts'
import { readerQueries } from './reader-queries.ts'

let parser: DuckdbParser
beforeAll(async () => {
  parser = await openParser()
})
afterAll(() => parser.close())

const withRefs = (sql: string) => sql.replace(/@([a-z]\w*)/g, "{{ ref('$1') }}")
const queries = [...validQueries, ...lineageCases.map(([sql]) => sql)].map(withRefs).concat(readerQueries)
const read = (sql: string) => readSql(sql, duckdbGrammar)

describe('a query that DuckDB accepts', () => {
  it('is one', async () => {
    const refused = await Promise.all(
      readerQueries.map(async sql => [sql, await parser.objection(withoutTags(sql))] as const),
    )
    expect(refused.filter(([, objection]) => objection !== undefined)).toEqual([])
  })

  it.each(queries)('has no problem: %s', sql => {
    const reading = read(sql)
    expect(reading.problems).toEqual([])
    expect(uncovered(reading)).toEqual([])
    expect(misplaced(reading)).toEqual([])
    expect(overlapping(reading)).toEqual([])
  })

  it('has the tables and the width that DuckDB sees', async () => {
    const differences = await Promise.all(queries.map(differenceOf))
    expect(differences.flat()).toEqual([])
  })
})

/** Tokens that lie in no statement. */
function uncovered({ text, statements }: SqlReading): string[] {
  return duckdbGrammar
    .tokens(text)
    .filter(({ kind, start }) => kind !== 'comment' && text[start] !== ';')
    .filter(({ start, end }) => !statements.some(each => each.start <= start && end <= each.end))
    .map(({ start, end }) => text.slice(start, end))
}

async function differenceOf(sql: string): Promise<string[]> {
  const plain = withoutTags(sql)
  const tree = await parser.tree(plain)
  if ((tree as { error?: boolean }).error) return []
  const ours = uniqueNames(tablesOf(read(plain)))
  const theirs = uniqueNames(namesIn(tree, 'BASE_TABLE', 'table_name'))
  const widths = [widthOf(read(plain)), listWidth(tree)]
  return ours === theirs && (widths[0] === undefined || widths[0] === widths[1])
    ? []
    : [`${sql}: ${ours} / ${theirs}, ${widths}`]
}

/** DuckDB writes a table that is pivoted twice into its tree. */
function uniqueNames(names: readonly string[]): string {
  return [...new Set(names)].sort().join(' ')
}

function tablesOf({ text, statements }: SqlReading): string[] {
  const found: string[] = []
  for (const statement of statements)
    walk(statement, {
      enter: (node: SqlNode) => {
        if (node.kind === 'named-table') found.push(node.path.at(-1)?.text ?? '')
        if (node.kind === 'file-table') found.push(text.slice(node.file.start + 1, node.file.end - 1))
        return true
      },
    })
  return found
}

/** How many items the list of the statement has, where it is one SELECT. */
function widthOf({ statements: [first] }: SqlReading): number | undefined {
  if (first?.body.kind !== 'select') return undefined
  return Math.max(1, first.body.items.length)
}

function listWidth(tree: unknown): number | undefined {
  const { statements } = tree as { statements: { node: { type: string; select_list?: unknown[] } }[] }
  const node = statements[0]?.node
  return node?.type === 'SELECT_NODE' ? node.select_list?.length : undefined
}

function namesIn(value: unknown, type: string, field: string): string[] {
  if (Array.isArray(value)) return value.flatMap(each => namesIn(each, type, field))
  if (typeof value !== 'object' || value === null) return []
  const node = value as Record<string, unknown>
  const below = Object.values(node).flatMap(each => namesIn(each, type, field))
  return node['type'] === type ? [String(node[field]), ...below] : below
}
