/** Questions about output columns and their types. Names are compared as warehouses do: without regard to case. */
import type { AssetAnalysis } from '../analysis.ts'
import type { Ingest, TestDefinition } from '../schema/definition.ts'
import { pathPattern } from '../source/path-pattern.ts'
import { toSnakeCase } from '../source/snake-case.ts'

type Columns = Pick<AssetAnalysis, 'columns'>

/** Names of the output columns; undefined where there may be others, or where the SQL cannot be read. */
export function knownColumns(analysis: AssetAnalysis | undefined): readonly string[] | undefined {
  if (analysis === undefined || !analysis.complete || analysis.columns.length === 0) return undefined
  const known = names.get(analysis)
  if (known !== undefined) return known
  const found = analysis.columns.map(column => column.name)
  names.set(analysis, found)
  return found
}

export function hasColumn(columns: readonly string[], name: string): boolean {
  if (columns.length < manyColumns) return columns.some(column => sameName(column, name))
  return lowerNames(columns).has(name.toLowerCase())
}

export function sameName(a: string, b: string): boolean {
  return a === b || a.toLowerCase() === b.toLowerCase()
}

/** Type of the output column `name`; undefined where it is not known. */
export function columnType(analysis: Columns | undefined, name: string): string | undefined {
  if (analysis === undefined) return undefined
  if (analysis.columns.length < manyColumns)
    return analysis.columns.find(column => sameName(column.name, name))?.type
  return typesOf(analysis).get(name.toLowerCase())
}

/** An asset may have thousands of columns, and as many tests that ask for them; fewer are looked through. */
const manyColumns = 40

const names = new WeakMap<AssetAnalysis, readonly string[]>()
const types = new WeakMap<Columns, ReadonlyMap<string, string | undefined>>()
const lower = new WeakMap<readonly string[], ReadonlySet<string>>()

/** Type of the first column of each name, in lower case. */
function typesOf(analysis: Columns): ReadonlyMap<string, string | undefined> {
  const known = types.get(analysis)
  if (known !== undefined) return known
  const found = new Map<string, string | undefined>()
  for (const { name, type } of analysis.columns) {
    const key = name.toLowerCase()
    if (!found.has(key)) found.set(key, type)
  }
  types.set(analysis, found)
  return found
}

function lowerNames(columns: readonly string[]): ReadonlySet<string> {
  const known = lower.get(columns)
  if (known !== undefined) return known
  const names = new Set(columns.map(column => column.toLowerCase()))
  lower.set(columns, names)
  return names
}

/** Columns that a test names by itself; those inside SQL are the catalogue's. */
export function testColumns(test: TestDefinition): readonly string[] {
  if (test.kind === 'unique') return test.columns
  return 'column' in test ? [test.column] : []
}

/** Has a day in it. A bare TIME has not: nothing can be said to be a day old by it. */
export function isPointInTime(type: string): boolean {
  return /^(date|datetime|timestamp)/i.test(type)
}

export function isNumber(type: string): boolean {
  return /^(u?(tiny|small|big|huge)?int(eger)?|double|float|real|decimal|numeric)\b(?!.*\])/i.test(type)
}

export function isText(type: string): boolean {
  return /^(varchar|text|char|bpchar|string|enum)/i.test(type)
}

/**
 * The pattern of `ingest.exclude` that leaves out the source column `name`. Patterns are written in the names of the
 * source, the contract in those of the columns.
 */
export function excludingPattern(ingest: Ingest, name: string): string | undefined {
  if (ingest.type === 'none') return undefined
  return ingest.exclude.find(
    pattern =>
      pathPattern(pattern).covers([name]) || (!/[.*]/.test(pattern) && toSnakeCase(pattern) === name),
  )
}
