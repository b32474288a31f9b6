/** The types that a contract declares lead over those that the lock has of its last promotion (decisions 2), in every answer. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type RestServer, startRestServer } from '../support/rest-server.ts'
import { createGround, type Ground } from './bad-input/command-line.ts'

let server: RestServer
let p: Ground

beforeAll(async () => {
  server = await startRestServer()
  server.route('/orders', (_request, response) => {
    const lines = [{ sku: 'a', price: 3 }]
    response.end(JSON.stringify([{ id: 1, day: 20260102, custNo: 7, phone: 4911, lines }]))
  })
})

afterEach(() => p.dispose())
afterAll(() => server.close())

const source = (columns: string, more = '', ingest = '') =>
  `name: orders\ningest: {type: rest_api, endpoint: ${server.origin}, resource: /orders${ingest}}\n${more}transform: SELECT ${columns} FROM {{ source }}\n`

const contract = (columns: string, more = '') => `contract:\n  columns: {${columns}}\n${more}`

async function deployed(text: string): Promise<void> {
  p = createGround({ 'svc.yaml': 'name: shop\n', 'models/orders.svc': text })
  const run = await p.line(['run'])
  expect(run.code, run.stdout + run.stderr).toBe(0)
}

async function columnsOf(): Promise<Record<string, string | null>> {
  const { code, value } = await p.json(['inspect', 'models/orders.svc', '--json'])
  expect(code, JSON.stringify(value)).toBe(0)
  const { schema } = value as { schema: { columns: { name: string; type: string }[] } }
  return Object.fromEntries(schema.columns.map(({ name, type }) => [name, type]))
}

describe('a contract that was changed after the last promotion', () => {
  test('types the columns of a web service for inspect, validate and plan', async () => {
    await deployed(source('id, day'))
    expect(readFileSync(join(p.root, 'schemas.lock.json'), 'utf8')).toContain('"day": "BIGINT"')
    p.write('models/orders.svc', source('id, day', contract('day: date')))
    expect(await columnsOf()).toMatchObject({ id: 'BIGINT', day: 'DATE' })
    p.write('models/orders.svc', source('id, day + 0.5 AS day', contract('day: date')))
    for (const command of ['validate', 'plan']) {
      const said = await p.line([command])
      expect(said.code, `${command}: ${said.stdout}`).not.toBe(0)
      expect(said.stdout + said.stderr).toContain('DATE')
    }
  })

  test('names them: what is renamed, what is no longer, and what only the contract has', async () => {
    await deployed(source('id, cust_no'))
    p.write(
      'models/orders.svc',
      source('customer, note', contract('customer: {from: custNo}, note: {type: varchar}')),
    )
    expect(await columnsOf()).toMatchObject({ customer: 'BIGINT', note: 'VARCHAR' })
    expect((await p.line(['validate'])).code).toBe(0)
    expect((await p.line(['run'])).code).toBe(0)
    p.write('models/orders.svc', source('customer'))
    expect((await p.line(['validate'])).code).toBe(1)
    p.write('models/orders.svc', source('cust_no'))
    expect((await p.line(['validate'])).code).toBe(0)
    expect((await p.line(['run'])).code).toBe(0)
  })

  test('types the columns of child tables', async () => {
    const child = (columns: string, more: string) =>
      `name: orders\ningest: {type: rest_api, endpoint: ${server.origin}, resource: /orders, nested: tables}\n${more}transform: SELECT ${columns} FROM {{ source('lines') }}\n`
    await deployed(child('sku, price', ''))
    const tables = 'contract:\n  tables:\n    lines: {columns: {price: "decimal(9,2)"}}\n'
    p.write('models/orders.svc', child('sku, price', tables))
    expect(await columnsOf()).toEqual({ sku: 'VARCHAR', price: 'DECIMAL(9,2)' })
    expect((await p.line(['run'])).code).toBe(0)
    expect(await columnsOf()).toEqual({ sku: 'VARCHAR', price: 'DECIMAL(9,2)' })
  })
})

describe('what a file says of its source after the last promotion', () => {
  test('leaves columns out, and masks them, before the next run', async () => {
    await deployed(source('id, phone, day'))
    const less = ', exclude: [day], mask: {phone: redact}'
    p.write('models/orders.svc', source('id, phone', '', less))
    expect(await columnsOf()).toEqual({ id: 'BIGINT', phone: 'VARCHAR' })
    p.write('models/orders.svc', source('id, day', '', less))
    const said = await p.line(['validate'])
    expect(said.code, said.stdout).toBe(1)
    p.write('models/orders.svc', source('*', '', less))
    const known = await columnsOf()
    expect((await p.line(['run'])).code).toBe(0)
    expect(await columnsOf()).toEqual(known)
  })
})

describe('a declared type that the values do not fit', () => {
  test.each([
    ['a web service', () => `type: rest_api, endpoint: ${server.origin}, resource: /orders`],
    ['a file', () => 'type: file, endpoint: data, resource: orders.csv'],
  ])('is what plan and run say that the column of %s becomes', async (_, ingest) => {
    const text = (more: string) =>
      `name: orders\ningest: {${ingest()}}\n${more}transform: SELECT id, phone, day FROM {{ source }}\n`
    p = createGround({
      'svc.yaml': 'name: shop\n',
      'data/orders.csv': 'id,phone,day\n1,4911,20260102\n2,4912,20260103\n',
      'models/orders.svc': text(''),
    })
    expect((await p.line(['run'])).code).toBe(0)
    p.write('models/orders.svc', text(contract('phone: double, day: timestamp')))
    const said = 'column day is TIMESTAMP by its contract, and was BIGINT: values that do not fit are refused'
    const plan = await p.line(['plan'])
    expect(plan.stdout.replace(/\s+/g, ' ')).toContain(said)
    expect(plan.stdout).toContain('column phone became DOUBLE from BIGINT')
    expect(plan.stdout).not.toContain('VARCHAR')
    const run = await p.line(['run'])
    expect(run.stderr.replace(/\s+/g, ' ')).toContain(said)
    expect(await columnsOf()).toMatchObject({ phone: 'DOUBLE', day: 'TIMESTAMP' })
    expect((await p.line(['plan'])).stdout).not.toContain('by its contract')
  })
})
