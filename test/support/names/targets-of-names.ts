/** Every kind and mode of destination with the same columns: what is sent there, and what is there afterwards. */
import type { RestServer } from '../rest-server.ts'
import type { SourceRecord } from './sources-of-names.ts'

/** Which rows a target has after both loads: those of all keys, the first of each key, those that are in the source. */
type Kept = 'newest' | 'first' | 'source'

export interface TargetOfNames {
  readonly kept: Kept
  /** The target in `publish`, for a table of this name. */
  readonly target: (table: string, places: TargetPlaces) => Readonly<Record<string, unknown>>
  /** Where its rows are read: a web service, or SQL of a database. */
  readonly at: 'service' | 'duckdb' | 'postgres' | 'mysql' | 'file'
}

export interface TargetPlaces {
  readonly origin: string
  readonly postgres: string
  readonly mysql: string | undefined
}

const databaseModes = { upsert: 'newest', insert: 'first', mirror: 'source' } as const satisfies Readonly<
  Record<string, Kept>
>

function database(type: 'duckdb' | 'postgres' | 'mysql'): Readonly<Record<string, TargetOfNames>> {
  const endpoint = (mode: string) =>
    type === 'duckdb' ? `duckdb:./${mode}.duckdb` : `env:${type.toUpperCase()}`
  const schema = type === 'postgres' ? 'public.' : ''
  const modes = Object.entries(databaseModes).map(([mode, kept]): [string, TargetOfNames] => [
    `${type}_${mode}`,
    {
      kept,
      at: type,
      target: table => ({
        type,
        endpoint: endpoint(mode),
        resource: `${schema}${table}_${mode}`,
        mode,
        ...(mode === 'mirror' && { max_change: '100%' }),
      }),
    },
  ])
  // What is updated has to be there: the table that was upserted before.
  const update: TargetOfNames = {
    kept: 'newest',
    at: type,
    target: table => ({
      type,
      endpoint: endpoint('upsert'),
      resource: `${schema}${table}_upsert`,
      mode: 'update',
    }),
  }
  return { ...Object.fromEntries(modes), [`${type}_update`]: update }
}

function service(
  name: string,
  kept: Kept,
  more: Readonly<Record<string, unknown>> | ((table: string) => Readonly<Record<string, unknown>>),
): TargetOfNames {
  return {
    kept,
    at: 'service',
    target: (table, { origin }) => ({
      type: 'http',
      endpoint: origin,
      resource: `${name}/sobjects/${table}`,
      ...(typeof more === 'function' ? more(table) : more),
    }),
  }
}

function file(format: string): TargetOfNames {
  return {
    kept: 'source',
    at: 'file',
    target: table => ({ type: 'file', endpoint: './out', resource: `${table}.${format}` }),
  }
}

export const targetsOfNames: Readonly<Record<string, TargetOfNames>> = {
  ...database('duckdb'),
  ...database('postgres'),
  ...database('mysql'),
  csv: file('csv'),
  ndjson: file('ndjson'),
  parquet: file('parquet'),
  upsert: service('upsert', 'newest', { mode: 'upsert' }),
  insert: service('insert', 'first', { mode: 'insert', records: 'records' }),
  update: service('update', 'newest', { mode: 'update' }),
  mirror: service('mirror', 'source', table => ({
    mode: 'mirror',
    max_change: '100%',
    remove: { resource: `remove/${table}` },
  })),
  hubspot: service('hubspot', 'newest', { recipe: 'hubspot' }),
  salesforce: service('salesforce', 'newest', { recipe: 'salesforce' }),
  sheets: service('sheets', 'first', { recipe: 'sheets' }),
}

/** The rows that web services were sent, by target and key; a row without its key would be lost under `undefined`. */
export interface SentRows {
  readonly of: (target: string) => readonly SourceRecord[]
}

/** Answers as each of the services does. */
export function takeRows(rest: RestServer, table: string, names: readonly string[]): SentRows {
  const rows = new Map<string, Map<unknown, SourceRecord>>()
  const [key = ''] = names
  const keep = (target: string, sent: readonly SourceRecord[]) => {
    const known = rows.get(target) ?? new Map<unknown, SourceRecord>()
    rows.set(target, known)
    for (const row of sent) known.set(row[key], row)
  }
  const route = (target: string, answer: (body: unknown) => unknown) =>
    rest.route(`/${target}/sobjects/${table}`, ({ body }, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(answer(JSON.parse(body)) ?? {}))
    })
  for (const target of ['upsert', 'update', 'mirror'])
    route(target, body => keep(target, body as SourceRecord[]))
  route('insert', body => keep('insert', (body as { records: SourceRecord[] }).records))
  route('hubspot', body => {
    const { inputs } = body as { inputs: { idProperty: string; id: string; properties: SourceRecord }[] }
    const isRight = inputs.every(each => each.idProperty === key && String(each.properties[key]) === each.id)
    keep('hubspot', isRight ? inputs.map(({ properties }) => properties) : [])
  })
  route('salesforce', body => {
    const { records } = body as { records: SourceRecord[] }
    keep('salesforce', records)
    return records.map(() => ({ success: true }))
  })
  route('sheets', body => {
    const { values } = body as { values: (string | number)[][] }
    keep(
      'sheets',
      values.map(cells => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']))),
    )
  })
  rest.route(`/remove/${table}`, ({ body }, response) => {
    for (const gone of JSON.parse(body) as SourceRecord[]) rows.get('mirror')?.delete(gone[key])
    response.end('{}')
  })
  return { of: target => [...(rows.get(target)?.values() ?? [])] }
}
