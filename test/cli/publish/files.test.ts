/** What is written into a folder: whole files, open to whom the file before was, with every value. */
import { chmodSync, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { showsDestination } from '../../support/features/shows.ts'
import { customers, type Ground, publishGround } from './ground.ts'

const table = '{type: duckdb, endpoint: "duckdb:./other.duckdb", resource: people, key: id}'

let ground: Ground
afterEach(() => ground.dispose())

describe('a file', () => {
  it.each([
    ['people.csv', 'id,email,name,amount\n1,c1@example.com,name 1,1.5\n'],
    ['people.ndjson', '{"id":1,"email":"c1@example.com","name":"name 1","amount":1.5}\n'],
  ])('%s is written whole, and again only when something has changed or it is gone', async (name, text) => {
    showsDestination(['folder'], ['replace', 'creates', 'difference', 'dry_run'])
    ground = publishGround(`{type: file, endpoint: ./out, resource: ${name}}`)
    await ground.production(customers(1))
    expect((await ground.publish(['--dry-run'])).value).toMatchObject({ planned: { inserts: 1 } })
    expect(existsSync(join(ground.root, 'out'))).toBe(false)
    expect(await ground.publish()).toMatchObject({ code: 0, value: { done: { inserts: 1 } } })
    expect(ground.textOf(`out/${name}`)).toBe(text)
    ground.write(`out/${name}`, 'changed by somebody\n')
    expect((await ground.publish()).value.done).toMatchObject({ inserts: 0, unchanged: 1 })
    expect(ground.textOf(`out/${name}`)).toBe('changed by somebody\n')
    ground.remove(`out/${name}`)
    await ground.publish()
    expect(ground.textOf(`out/${name}`)).toBe(text)
    await ground.production(customers(2))
    expect((await ground.publish()).value.done).toMatchObject({ inserts: 1, unchanged: 1 })
    expect(ground.textOf(`out/${name}`).length).toBeGreaterThan(text.length)
  })

  it('stays open to those only to whom the file before it was', async () => {
    ground = publishGround('{type: file, endpoint: ./out, resource: people.csv}')
    await ground.production(customers(1))
    await ground.publish()
    chmodSync(join(ground.root, 'out/people.csv'), 0o600)
    await ground.production(customers(2))
    expect((await ground.publish()).value.done).toMatchObject({ inserts: 1 })
    expect(statSync(join(ground.root, 'out/people.csv')).mode & 0o777).toBe(0o600)
  })

  it('of NDJSON has texts for the numbers that JSON does not have, inside of lists and structs too', async () => {
    const none = "'nan'::DOUBLE, 'infinity'::DOUBLE"
    const numbers = `name: numbers
ingest: none
transform: |
  SELECT 1 AS id, 'nan'::DOUBLE AS one, [1.5, ${none}, NULL] AS list,
    {'a': 'nan'::FLOAT, 'b': [{'c': '-infinity'::DOUBLE, 'd': 'x'}], 'e': NULL::DOUBLE[]} AS "The Struct",
    MAP {'k': [${none}]} AS map, [${none}]::DOUBLE[2] AS pair, [[1.5::DOUBLE], NULL, [1e300]] AS plain
  UNION ALL SELECT 2, NULL, NULL, NULL, NULL, NULL, NULL ORDER BY id
publish: {there: {type: file, endpoint: ./out, resource: people.ndjson, environments: [dev]}}
`
    ground = publishGround(table, { more: { 'models/numbers.svc': numbers } })
    await ground.production([])
    expect((await ground.svc(['publish', 'numbers', '--to', 'there'])).code).toBe(0)
    const [first = '', second = ''] = ground.textOf('out/people.ndjson').trim().split('\n')
    expect(JSON.parse(first)).toEqual({
      id: 1,
      one: 'nan',
      list: [1.5, 'nan', 'inf', null],
      'The Struct': { a: 'nan', b: [{ c: '-inf', d: 'x' }], e: null },
      map: { k: ['nan', 'inf'] },
      pair: ['nan', 'inf'],
      plain: [[1.5], null, [1e300]],
    })
    expect(second).toBe(
      '{"id":2,"one":null,"list":null,"The Struct":null,"map":null,"pair":null,"plain":null}',
    )
  })

  it('of NDJSON has every digit of the numbers in a column of JSON', async () => {
    const raw = '{"n": 0.1234567890123456789012345,\n "big": 123456789012345678901234567890, "t": "x\\"y"}'
    const numbers = `name: numbers
ingest: {type: rows, rows: [{id: 1, raw: ${JSON.stringify(raw)}}, {id: 2, raw: '{"a": 1.5}'}, {id: 3}]}
transform: SELECT id, raw::JSON AS "the raw", 1.5::DOUBLE AS plain FROM {{ source }} ORDER BY id
publish: {there: {type: file, endpoint: ./out, resource: people.ndjson, environments: [dev]}}
`
    ground = publishGround(table, { more: { 'models/numbers.svc': numbers } })
    await ground.production([])
    expect((await ground.svc(['publish', 'numbers', '--to', 'there'])).code).toBe(0)
    expect(ground.textOf('out/people.ndjson').split('\n')).toEqual([
      '{"id":1,"the raw":{"n": 0.1234567890123456789012345,  "big": 123456789012345678901234567890, "t": "x\\"y"},"plain":1.5}',
      '{"id":2,"the raw":{"a":1.5},"plain":1.5}',
      '{"id":3,"the raw":null,"plain":1.5}',
      '',
    ])
  })

  it('of Parquet can be read again', async () => {
    ground = publishGround('{type: file, endpoint: ./out, resource: people.parquet, fields: {who: name}}')
    await ground.production(customers(2))
    expect((await ground.publish()).code).toBe(0)
    ground.write(
      'models/again.svc',
      'name: again\ningest: {type: file, endpoint: ./out, resource: people.parquet}\ntransform: SELECT who FROM {{ source }}\n',
    )
    expect((await ground.svc(['run', 'again'])).code).toBe(0)
    expect((await ground.svc(['sample', 'again', '--csv'])).stdout).toBe('who\r\nname 1\r\nname 2\r\n')
  })

  it('outside of its folder is refused', async () => {
    ground = publishGround('{type: file, endpoint: ./out, resource: ../svc.yaml, format: csv}')
    await ground.production(customers(1))
    expect(await ground.failure('customers', '--to', 'there')).toMatchObject({ code: 'destination-shape' })
    expect(ground.textOf('svc.yaml')).toBe('name: shop\n')
  })
})
