/** A key that a kind of source or destination passes over is an error: nothing is parsed and ignored. */
import { describe, expect, it } from 'vitest'
import { parseAsset } from '../../../server/language/index.ts'
import { limitKeys } from '../../../server/language/sources/shared-keys.ts'
import { reading } from '../../support/engine.ts'

const parsed = (ingest: string) =>
  parseAsset(
    'models/a.svc',
    `name: a\ningest: ${ingest}\ntransform: SELECT 1 AS one FROM {{ source }}\n`,
    reading,
    () => '',
  )

const problems = (ingest: string) => parsed(ingest).diagnostics.map(({ message }) => message)

const values: Readonly<Record<string, string>> = {
  rate: '1/s',
  timeout: '5s',
  body: '1MB',
  record: '1MB',
  total: '1MB',
}

/** Returns the limits that the kind refuses, each written alone. */
const refused = (ingest: string) =>
  limitKeys
    .map(({ name }) => name)
    .filter(name => problems(`{${ingest}, limits: {${name}: ${values[name] ?? '3'}}}`).length > 0)

describe('limits', () => {
  it('that a kind of source cannot keep are refused', () => {
    expect({
      rest_api: refused('type: rest_api, endpoint: "https://example.com", resource: x'),
      sql: refused('type: sql, endpoint: "sqlite:a.db", resource: t'),
      file: refused('type: file, endpoint: data, resource: a.csv'),
      rows: refused('type: rows, rows: [{a: 1}]'),
    }).toEqual({
      rest_api: ['files', 'names'],
      sql: ['rate', 'concurrency', 'body', 'ratio', 'record', 'depth', 'pages', 'files', 'names'],
      file: ['pages'],
      rows: limitKeys.map(({ name }) => name).filter(name => name !== 'max_rows'),
    })
    expect(problems('{type: sql, endpoint: "sqlite:a.db", resource: t, limits: {rate: 1/s}}')).toEqual([
      '"ingest.limits.rate" means nothing here: a database is asked for rows, and split says how many parts are read at once',
    ])
  })

  it('that nobody may write have their usual values', () => {
    const { ingest } = parsed('{type: rows, rows: [{a: 1}], limits: {max_rows: 2}}').definition
    expect(ingest.type === 'none' ? undefined : ingest.limits).toMatchObject({
      maxRows: 2,
      retries: 5,
      pages: 100_000,
    })
  })
})

describe('keys of a place', () => {
  it('are refused for another place, unless a variable says which it is', () => {
    const file = (endpoint: string, more: string) =>
      `{type: file, endpoint: "${endpoint}", resource: a.csv, ${more}}`
    expect(problems(file('./data', 's3: {region: eu}'))).toEqual([
      '"ingest.s3" means nothing here: it is for an endpoint s3://bucket/folder',
    ])
    expect(problems(file('s3://b/f', 'sftp: {host_key: x}'))).toHaveLength(1)
    expect(problems(file('sftp://u@h/f', 'allow_hosts: other.example.com'))).toHaveLength(1)
    expect(problems(file('s3://b/f', 's3: {region: eu}'))).toEqual([])
    expect(problems(file('env:PLACE', 's3: {region: eu}'))).toEqual([])
  })

  it('are refused for files of a database', () => {
    const sqlite =
      '{type: sql, endpoint: "sqlite:a.db", resource: t, split: {parts: 2}, credentials: "env:X"}'
    expect(problems(sqlite)).toEqual([
      '"ingest.split" means nothing here: it is for a database that runs as a server',
      '"ingest.credentials" means nothing here: it is for a database that runs as a server',
    ])
  })

  it('are refused for rows that stand in the file', () => {
    expect(problems('{type: rows, rows: [{a: 1}], credentials: "env:X"}')).toEqual([
      'unknown key "credentials" in "ingest"',
    ])
  })
})
