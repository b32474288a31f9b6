/** A project whose columns have given names everywhere, and the judge of what becomes of their values. */
import { DuckDBInstance } from '@duckdb/node-api'
import { quoteName } from '@svc/server/catalog'
import pg from 'pg'
import { createGround, type Ground } from '../../cli/bad-input/command-line.ts'
import { type Places, type SourceOfNames, type SourceRecord, sourcesOfNames } from './sources-of-names.ts'

export interface Judged {
  checks: number
  /** A line for each thing that is wrong. */
  readonly wrong: string[]
  crashes: number
}

/** The kind of source whose assets are published: what sends rows reads the warehouse alone. */
const publishedKind = 'ndjson'

type Write = SourceOfNames['writes'][number]

/** One asset: the columns of a table, from a kind of source, kept in one way. */
interface Case {
  readonly name: string
  readonly kind: string
  readonly source: SourceOfNames
  readonly write: Write
  readonly names: readonly string[]
}

/** The roles of the first columns of a table; the others are numbers. */
const places = { key: 0, cursor: 1, masked: 2, personal: 3, rejected: 4 } as const

export function casesOf(tables: readonly (readonly string[])[], kinds?: readonly string[]): readonly Case[] {
  return Object.entries(sourcesOfNames).flatMap(([kind, source]) =>
    kinds !== undefined && !kinds.includes(kind)
      ? []
      : source.writes.flatMap(write =>
          tables.map((names, index) => ({ name: `t${index}_${kind}_${write}`, kind, source, write, names })),
        ),
  )
}

/** Row `row` of a source: in version 1 all but its key is another value. */
function recordOf(names: readonly string[], row: number, version = 0): SourceRecord {
  const value = (index: number) => {
    const number = row * 1000 + index + (index === places.key ? 0 : version * 100_000)
    return index === places.masked || index === places.personal ? `v${number}` : number
  }
  return Object.fromEntries(names.map((name, index) => [name, value(index)]))
}

function sourceRecords({ source, names }: Case, load: 1 | 2): readonly SourceRecord[] {
  const rows =
    load === 1
      ? [recordOf(names, 1), recordOf(names, 2), recordOf(names, 3)]
      : [recordOf(names, 1), recordOf(names, 2, 1), recordOf(names, 4)]
  if (source.isTyped) return rows
  return [...rows, { ...recordOf(names, 9), [names[places.rejected] ?? '']: 'many' }]
}

/** What is in production after a load, by key and version. */
function expectedRows({ write, names }: Case, load: 1 | 2): readonly SourceRecord[] {
  const row = (number: number, version?: number) => recordOf(names, number, version)
  if (load === 1) return [row(1), row(2), row(3)]
  if (write === 'replace') return [row(1), row(2, 1), row(4)]
  if (write === 'merge') return [row(1), row(2, 1), row(3), row(4)]
  return [row(1), row(2), row(2, 1), row(3), row(4)]
}

function assetText(each: Case, load: 1 | 2, placesOfSources: Places): string {
  const { name, source, write, names } = each
  const [key = '', cursor = '', masked = '', personal = ''] = names
  const table = { name: `s_${name}`, records: sourceRecords(each, load) }
  const numbers = names.filter((_, index) => index !== places.masked && index !== places.personal)
  const unit = recordOf(names, 7)
  const asset = {
    name,
    ingest: {
      ...source.ingest(table, placesOfSources),
      ...(write === 'replace' ? {} : { write }),
      // With a key, a record whose key was appended before is not appended again.
      ...(write === 'append' || (each.kind === 'rows' && write === 'replace') ? {} : { primary_key: key }),
      ...(write === 'append' || write === 'merge' ? { incremental: { cursor } } : {}),
      mask: { [masked]: 'redact' },
    },
    contract: {
      evolution: { tables: 'evolve', columns: 'freeze', types: 'discard_row' },
      enforce_types: true,
      required_columns: [key],
      columns: {
        ...Object.fromEntries(numbers.map(column => [column, 'bigint'])),
        [personal]: { type: 'text', pii: true },
      },
      max_rejects: 5,
    },
    transform: 'SELECT * FROM {{ source }}',
    tests:
      write === 'replace'
        ? [
            { not_null: names },
            ...names.filter(column => column !== masked).map(column => ({ unique: column })),
            ...numbers.map(column => ({ range: { [column]: { min: 1, max: 999_999 } } })),
            { accepted_values: { [masked]: ['***'] } },
            { relationships: { [key]: `${name}_read.${key}` }, severity: 'warn' },
            { unit: { given: { source: [unit] }, expect: [unit] } },
          ]
        : [{ not_null: names }],
    ...(write === 'replace' && each.kind === publishedKind ? { publish: targets(each) } : {}),
  }
  return `${JSON.stringify(asset, undefined, 1)}\n`
}

function targets({ name, names }: Case) {
  const key = names[places.key]
  const common = { resource: name, key, environments: ['dev'] }
  return {
    crm: { type: 'duckdb', endpoint: 'duckdb:./crm.duckdb', ...common },
    added: { type: 'duckdb', endpoint: 'duckdb:./added.duckdb', ...common, mode: 'insert' },
    changed: { type: 'duckdb', endpoint: 'duckdb:./crm.duckdb', ...common, mode: 'update' },
    file: { type: 'file', endpoint: './out', resource: `${name}.ndjson`, environments: ['dev'] },
    table: { type: 'postgres', endpoint: 'env:TARGET', ...common, resource: `public.${name}` },
  }
}

/** A model that names each column, quoted, in every clause. */
function readerText({ name, names }: Case): string {
  const all = names.map(column => quoteName(column)).join(', ')
  const key = quoteName(names[places.key] ?? '')
  return `${JSON.stringify({
    name: `${name}_read`,
    ingest: 'none',
    transform: `WITH first AS (SELECT ${all} FROM {{ ref("${name}") }}) SELECT ${all} FROM first GROUP BY ${all} ORDER BY ${key}`,
    deploy: { materialize: 'view' },
  })}\n`
}

export interface NamesProject {
  readonly warehouse: string
  /** A server for sources of that kind. */
  readonly rest?: Places['rest']
  /** A database for sources of that kind. */
  readonly postgres?: string
  /** A database to publish to. */
  readonly target?: string
  /** The project with files of names, and what their sources have. */
  readonly cases: readonly Case[]
}

/** Runs a project from its first load to a rollback, comparing every value of every column on its way. */
export async function judgeNames(
  { warehouse, rest, postgres = '', target = '', cases }: NamesProject,
  judged: Judged,
): Promise<void> {
  const ground = createGround({ 'svc.yaml': 'name: names\nwarehouse: env:HOUSE\n' }, { program: 'tests' })
  const sources = { ground, rest, postgres }
  const env = {
    HOUSE: warehouse,
    PLACE: postgres,
    TARGET: target,
    HOME: ground.root,
    SVC_MASK_KEY: 'k'.repeat(32),
  }
  const svc = async (...words: string[]) => {
    const said = await ground.line(words, { env })
    if (said.code === 70 || said.code === null) judged.crashes++
    return said
  }
  const must = async (...words: string[]) => {
    const { code, stdout, stderr } = await svc(...words)
    judged.checks++
    if (code !== 0)
      judged.wrong.push(`${warehouse.split(':')[0]}: ${words.join(' ')}\n${stdout}${stderr}`.slice(0, 6000))
    return stdout
  }
  const put = async (load: 1 | 2) => {
    for (const each of cases) {
      await each.source.put({ name: `s_${each.name}`, records: sourceRecords(each, load) }, sources)
      ground.write(`models/${each.name}.svc`, assetText(each, load, sources))
      ground.write(`models/${each.name}_read.svc`, readerText(each))
    }
  }
  const compareAll = async (load: 1 | 2) => {
    for (const each of cases) {
      const expected = expectedRows(each, load).map(record => ({
        ...record,
        [each.names[places.masked] ?? '']: '***',
      }))
      for (const table of [each.name, `${each.name}_read`]) {
        const found = await rowsOf(warehouse, ground, `analytics_dev.${table}`)
        compare(judged, { place: `${table} after load ${load}`, names: each.names, expected, found })
      }
    }
  }
  try {
    await put(1)
    await must('validate')
    await must('run', '--all')
    await compareAll(1)
    await must('test')
    await compareRejects(cases, judged, await must('rejects', '--json', '--limit', '1000'))
    await must('sample', cases[0]?.name ?? '', '--json')
    // Each publish opens the warehouse and its target: the tables of one kind of source stand for all, where names are concerned.
    const published = cases.filter(({ kind, write }) => kind === publishedKind && write === 'replace')
    await publishAll(published, must)
    await put(2)
    await must('run', '--all')
    await compareAll(2)
    await publishAll(published, must)
    for (const each of published) await comparePublished(each, { ground, target }, judged)
    await must('rollback')
    await compareAll(1)
    await must('run', '--all', '--full-refresh')
    for (const each of cases.filter(({ write }) => write !== 'append' && write !== 'scd2')) {
      const found = await rowsOf(warehouse, ground, `analytics_dev.${each.name}`)
      const masked = { [each.names[places.masked] ?? '']: '***' }
      const expected = expectedRows({ ...each, write: 'replace' }, 2).map(record => ({
        ...record,
        ...masked,
      }))
      compare(judged, { place: `${each.name} after a full refresh`, names: each.names, expected, found })
    }
  } finally {
    ground.dispose()
  }
}

async function publishAll(
  cases: readonly Case[],
  must: (...words: string[]) => Promise<string>,
): Promise<void> {
  for (const { name } of cases)
    for (const target of ['crm', 'changed', 'added', 'file', 'table'])
      await must('publish', name, '--to', target)
}

interface Comparison {
  readonly place: string
  readonly names: readonly string[]
  readonly expected: readonly SourceRecord[]
  readonly found: readonly Readonly<Record<string, unknown>>[]
}

/** Compares the values of each column, in any order of the rows. */
function compare(judged: Judged, { place, names, expected, found }: Comparison): void {
  const valuesOf = (rows: Comparison['found'], name: string) => rows.map(row => String(row[name])).sort()
  for (const name of names) {
    judged.checks++
    const [is, should] = [valuesOf(found, name), valuesOf(expected, name)].map(list => list.join(' '))
    if (is !== should) judged.wrong.push(`${place}: column ${name} is [${is}], should be [${should}]`)
  }
}

async function compareRejects(cases: readonly Case[], judged: Judged, text: string): Promise<void> {
  const answer = JSON.parse(text === '' ? '{}' : text) as {
    rejects?: readonly { asset: string; raw: unknown }[]
  }
  for (const each of cases.filter(({ source }) => !source.isTyped)) {
    const rejects = answer.rejects?.filter(({ asset }) => asset === each.name) ?? []
    judged.checks++
    if (rejects.length !== 1)
      judged.wrong.push(`${each.name}: ${rejects.length} rejected records instead of one`)
  }
}

async function comparePublished(
  each: Case,
  { ground, target }: { readonly ground: Ground; readonly target: string },
  judged: Judged,
): Promise<void> {
  const { name, names } = each
  const row = (number: number, version?: number) => ({
    ...recordOf(names, number, version),
    [names[places.masked] ?? '']: '***',
  })
  const upserted = [row(1), row(2, 1), row(3), row(4)]
  const inserted = [row(1), row(2), row(3), row(4)]
  const found = [
    ['crm', await rowsOf('duckdb:./crm.duckdb', ground, name), upserted],
    ['added', await rowsOf('duckdb:./added.duckdb', ground, name), inserted],
    ['table', await rowsOf(target, ground, `public.${name}`), upserted],
    [
      'file',
      await query(':memory:', `SELECT * FROM read_json_auto('${ground.root}/out/${name}.ndjson')`),
      [row(1), row(2, 1), row(4)],
    ],
  ] as const
  for (const [place, rows, expected] of found)
    compare(judged, { place: `${name} at ${place}`, names, expected, found: rows })
}

/** The rows of a table; none where it cannot be read, so that all of its columns are wrong. */
async function rowsOf(address: string, { root }: Ground, table: string): Promise<Comparison['found']> {
  if (address.startsWith('duckdb:'))
    return query(`${root}/${address.slice('duckdb:'.length)}`, `SELECT * FROM ${table}`)
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    return (await client.query(`SELECT * FROM ${table}`)).rows
  } catch {
    return []
  } finally {
    await client.end()
  }
}

/** The rows of a query in a file of DuckDB; none where it cannot be read, so that all of its columns are wrong. */
export async function query(path: string, sql: string): Promise<Comparison['found']> {
  const database = await DuckDBInstance.create(path)
  const connection = await database.connect()
  try {
    return (await connection.runAndReadAll(sql)).getRowObjectsJS()
  } catch {
    return []
  } finally {
    connection.closeSync()
    database.closeSync()
  }
}
