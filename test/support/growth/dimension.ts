/**
 * What a project may have many of: how its files look with so many, and which commands are measured on them.
 *
 * Each is measured up to the size that counts. A table has 2,000 columns: issue 40 names them, and PostgreSQL ends at 1,600.
 * One statement has some 4,000 things beside each other, a list of plain values four times as many, things in each other as
 * many as engines take. There are 400 layouts of CSV files and 800 of JSON files, as issue 40 says, and 3,200 assets. The rest
 * is several times what a large project has.
 */

export interface Dimension {
  readonly name: string
  /** The last of three sizes, each four times the one before. */
  readonly most: number
  readonly files: (size: number) => Readonly<Record<string, string>>
  readonly lines: Lines | ((size: number) => Lines)
  readonly env?: (size: number) => Readonly<Record<string, string>>
  /** Starts what the project needs beside its files; its CPU counts from the first line on. */
  readonly beside?: (size: number) => Promise<Beside>
  /** What is measured besides the lines, in the folder of the project. */
  readonly work?: (root: string, size: number) => Promise<void>
  /** Where the engine itself takes more than its share of time: what it does without svc. */
  readonly engine?: (size: number) => EngineWork
}

/** What the engine must do at any rate: the tables are there before it is measured. */
export interface EngineWork {
  readonly tables: readonly string[]
  /** What changes them. */
  readonly statements?: readonly string[]
  readonly query: string
  /** An expression so large that a check has the engine plan it as a run would, to see that it can. */
  readonly isPlanned?: boolean
}

export type Lines = readonly (readonly string[])[]

export interface Beside {
  readonly files?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  dispose(): Promise<void>
}

export const validate = [['validate']] as const
export const run = [['run']] as const

export function many<T>(size: number, item: (index: number) => T): T[] {
  return Array.from({ length: size }, (_, index) => item(index))
}

export function list(size: number, item: (index: number) => string, separator = ', '): string {
  return many(size, item).join(separator)
}

export function asset(sql: string, more = ''): string {
  return `ingest: none\ntransform: |\n  ${sql.replaceAll('\n', '\n  ')}\n${more}`
}

/** An asset of a few numbers, which the others read. */
export const base = {
  'models/base.svc': `name: base\n${asset('SELECT range AS a, range % 7 AS b, range % 3 AS c FROM range(100)')}`,
}
export const fromBase = "{{ ref('base') }}"

/** One asset `x` over the base. */
export function sqlOf(text: (size: number) => string, more: (size: number) => string = () => '') {
  return (size: number) => ({ ...base, 'models/x.svc': `name: x\n${asset(text(size), more(size))}` })
}

export const testsOf = (test: (index: number) => string) => (size: number) =>
  `tests:\n${list(size, index => `  - ${test(index)}\n`, '')}`

export const wide = (size: number) =>
  `SELECT ${list(size, index => `a + ${index} AS c${index}`)} FROM ${fromBase}`

/** The statement of a table with as many columns of numbers. */
export const wideTable = (size: number) => `CREATE TABLE x (${list(size, index => `c${index} BIGINT`)})`

export function rowsAsset(size: number, row: (index: number) => string): string {
  return `ingest:\n  type: rows\n  rows:\n${list(size, index => `    - ${row(index)}\n`, '')}`
}

export function nested(row: number, depth: number): unknown {
  let value: unknown = row
  for (let level = 0; level < depth; level++) value = { inner: value }
  return value
}

export function fileIngest(resource: string, more = '', key = ''): string {
  const last = key === '' ? '' : `, ${key}`
  return `ingest: {type: file, endpoint: ./data, resource: '${resource}'${last}}\ntransform: SELECT * FROM {{ source }}\n${more}`
}

export function ndjson(
  size: number,
  record: (index: number) => unknown,
  more = '',
  key = '',
): Record<string, string> {
  return {
    'data/x.ndjson': list(size, index => `${JSON.stringify(record(index))}\n`, ''),
    'models/x.svc': `name: x\n${fileIngest('x.ndjson', more, key)}`,
  }
}
