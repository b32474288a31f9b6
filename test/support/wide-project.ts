/** Projects whose tables have as many columns as one asks for: `c0`, which is unique, and numbers in the others. */
import { DuckDBInstance } from '@duckdb/node-api'
import { createGround, type Ground } from '../cli/bad-input/command-line.ts'

export const wideKinds = ['csv', 'parquet', 'ndjson', 'rows'] as const
/** `rest`: a web service that answers `/wide?columns=n` with the records. */
export type WideKind = (typeof wideKinds)[number] | 'rest'

export interface Wide {
  readonly columns: number
  readonly kind: WideKind
  /** Its address; a file of the project by default. */
  readonly warehouse?: () => Promise<string>
  /** What follows the resource in the mapping of a source of files. */
  readonly ingest?: string | ((names: readonly string[]) => string)
  /** What follows the transform of `source`. */
  readonly sourceMore?: (names: readonly string[]) => string
  /** Nothing reads the source. */
  readonly onlySource?: boolean
  /** Of the web service. */
  readonly origin?: string
  /** What follows the transform of `wide`. */
  readonly more?: (names: readonly string[]) => string
  /** Models that each read the one before. */
  readonly chain?: number
}

export const wideRows = 50

export function wideNames(columns: number): string[] {
  return Array.from({ length: columns }, (_, index) => `c${index}`)
}

/** The value of a column in a row of the source. */
export function wideValue(row: number, column: number): number {
  return column === 0 ? row : (row * 7 + column) % 1000
}

/** `source` reads the file, `star` is `SELECT *` of it, and `wide` adds one to each column but the first. */
export async function wideProject(wide: Wide): Promise<Ground> {
  const { columns, kind, more, chain = 0 } = wide
  const names = wideNames(columns)
  const warehouse = (await wide.warehouse?.()) ?? 'duckdb:./wide.duckdb'
  const ground = createGround(
    {
      'svc.yaml': `name: wide\nwarehouse: ${warehouse}\n`,
      'models/source.svc': `name: source\n${ingest(wide, names)}transform: SELECT * FROM {{ source }}\n${wide.sourceMore?.(names) ?? ''}`,
      ...(wide.onlySource !== true && {
        'models/star.svc': "name: star\ningest: none\ntransform: SELECT * FROM {{ ref('source') }}\n",
        'models/wide.svc': `name: wide\n${addsOne(names, 'star')}${more?.(names) ?? ''}`,
      }),
    },
    { program: 'tests' },
  )
  for (let index = 0; index < chain; index++) {
    const before = index === 0 ? 'wide' : `link${index - 1}`
    ground.write(`models/link${index}.svc`, `name: link${index}\n${addsOne(names, before)}`)
  }
  await writeSource(ground, kind, names)
  return ground
}

function addsOne(names: readonly string[], from: string): string {
  const items = names.map((name, index) => `    ${name} + ${index === 0 ? 0 : 1} AS ${name}`)
  return `ingest: none\ntransform: |\n  SELECT\n${items.join(',\n')}\n  FROM {{ ref('${from}') }}\n`
}

function ingest({ kind, origin, ingest: given }: Wide, names: readonly string[]): string {
  const more = typeof given === 'function' ? given(names) : (given ?? '')
  if (kind === 'rest')
    return `ingest: {type: rest_api, endpoint: "${origin}", resource: /wide, params: {columns: ${names.length}}, paginate: none${more}}\n`
  if (kind !== 'rows') return `ingest: {type: file, endpoint: ./data, resource: wide.${kind}${more}}\n`
  const rows = Array.from({ length: wideRows }, (_, row) => `    - ${JSON.stringify(recordOf(row, names))}\n`)
  return `ingest:\n  type: rows\n  rows:\n${rows.join('')}`
}

/** Replaces the records of an NDJSON source: later keys, and other values. */
export function replaceRecords(ground: Ground, names: readonly string[], firstRow: number): void {
  const rows = Array.from({ length: wideRows }, (_, row) => recordOf(firstRow + row, names))
  ground.write('data/wide.ndjson', linesOf(rows))
}

function linesOf(rows: readonly Readonly<Record<string, number>>[]): string {
  return `${rows.map(row => JSON.stringify(row)).join('\n')}\n`
}

export function recordOf(row: number, names: readonly string[]): Record<string, number> {
  return Object.fromEntries(names.map((name, column) => [name, wideValue(row, column)]))
}

async function writeSource(ground: Ground, kind: WideKind, names: readonly string[]): Promise<void> {
  const rows = Array.from({ length: wideRows }, (_, row) => recordOf(row, names))
  if (kind === 'csv') {
    const lines = [names.join(','), ...rows.map(row => Object.values(row).join(','))]
    ground.write('data/wide.csv', `${lines.join('\n')}\n`)
  }
  if (kind === 'ndjson') ground.write('data/wide.ndjson', linesOf(rows))
  if (kind === 'parquet') await writeParquet(ground, names)
}

async function writeParquet(ground: Ground, names: readonly string[]): Promise<void> {
  const items = names.map((name, column) =>
    column === 0 ? `range AS ${name}` : `(range * 7 + ${column}) % 1000 AS ${name}`,
  )
  ground.write('data/wide.parquet', '')
  const database = await DuckDBInstance.create(':memory:')
  const connection = await database.connect()
  await connection.run(
    `COPY (SELECT ${items.join(', ')} FROM range(${wideRows})) TO '${ground.root}/data/wide.parquet' (FORMAT parquet)`,
  )
  connection.closeSync()
  database.closeSync()
}
