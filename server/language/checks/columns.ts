/** Questions about output columns and their types. Names are compared as warehouses do: without regard to case. */
import type { AssetAnalysis } from '../analysis.ts'
import type { Ingest, TestDefinition } from '../schema/definition.ts'
import { pathPattern } from '../source/path-pattern.ts'
import { toSnakeCase } from '../source/snake-case.ts'

/** Names of the output columns; undefined where there may be others, or where the SQL cannot be read. */
export function knownColumns(analysis: AssetAnalysis | undefined): readonly string[] | undefined {
  if (analysis === undefined || !analysis.complete || analysis.columns.length === 0) return undefined
  return outputOf(analysis).names
}

export function hasColumn(columns: readonly string[], name: string): boolean {
  return lowerNames(columns).has(name.toLowerCase())
}

export function sameName(a: string, b: string): boolean {
  return a === b || a.toLowerCase() === b.toLowerCase()
}

/** Type of the output column `name`; undefined where it is not known. */
export function columnType(analysis: AssetAnalysis | undefined, name: string): string | undefined {
  return analysis && outputOf(analysis).types.get(name.toLowerCase())
}

interface Output {
  readonly names: readonly string[]
  /** Type of the first column of each name, in lower case. */
  readonly types: ReadonlyMap<string, string | undefined>
}

/** An asset may have thousands of columns, and as many tests that ask for them. */
const outputs = new WeakMap<AssetAnalysis, Output>()
const lower = new WeakMap<readonly string[], ReadonlySet<string>>()

function outputOf(analysis: AssetAnalysis): Output {
  const known = outputs.get(analysis)
  if (known !== undefined) return known
  const types = new Map<string, string | undefined>()
  for (const { name, type } of analysis.columns) {
    const key = name.toLowerCase()
    if (!types.has(key)) types.set(key, type)
  }
  const output = { names: analysis.columns.map(({ name }) => name), types }
  outputs.set(analysis, output)
  return output
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
