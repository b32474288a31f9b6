/** A failed run once more: only what failed is done again, and everything is promoted. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outputSchemas } from '../../../server/contract/index.ts'
import type { TestProject } from '../../support/cli.ts'
import { createProjectHere } from '../../support/cli-here.ts'
import { type RestServer, startRestServer } from '../../support/rest-server.ts'
import { freshWarehouse, removeWarehouse } from '../../support/warehouse-under-test.ts'

let server: RestServer
let p: TestProject
let url: string

beforeAll(async () => {
  server = await startRestServer({ records: [{ id: 1 }, { id: 2 }], pageSize: 1 })
  const source = (name: string, resource: string) =>
    `name: ${name}\ningest: {type: rest_api, endpoint: ${server.origin}, resource: ${resource}, limits: {retries: 0}}\ntransform: SELECT id FROM {{ source }}\n`
  const model = (name: string, sql: string) => `name: ${name}\ningest: none\ntransform: ${sql}\n`
  url = await freshWarehouse()
  p = createProjectHere({
    'svc.yaml': `name: retried\nwarehouse: ${url}\n`,
    'models/good.svc': source('good', '/cursor'),
    'models/bad.svc': source('bad', '/pages'),
    'models/above.svc': model('above', "SELECT count(*) AS n FROM {{ ref('bad') }}"),
    'models/beside.svc': model('beside', "SELECT count(*) AS n FROM {{ ref('good') }}"),
  })
})

afterAll(async () => {
  p.dispose()
  await removeWarehouse(url)
  await server.close()
})

const ajv = new Ajv2020({ strict: false })
function expectShape(name: string, value: unknown): void {
  expect(ajv.validate(outputSchemas[name] ?? false, value), ajv.errorsText()).toBe(true)
}

test('without a failed run there is nothing to retry', async () => {
  const first = await p.svc(['retry'])
  expect(first).toMatchObject({ code: 0, stdout: 'Nothing to retry: nothing has run here yet.\n' })
})

test('what was built is taken as it is, what failed is done again', async () => {
  server.refuse(({ path }) => (path === '/pages' ? 500 : undefined))
  const failed = await p.svc(['run'])
  expect(failed.code).toBe(3)
  server.refuse(() => undefined)
  server.forget()
  const { code, value } = await p.json(['retry', '--json'])
  expect(code).toBe(0)
  expectShape('retry', value)
  const { again, report } = value as {
    readonly again: string[]
    readonly report: { readonly status: string; readonly assets: { name: string; status: string }[] }
  }
  expect(again.sort()).toEqual(['above', 'bad'])
  expect(report.status).toBe('deployed')
  expect(Object.fromEntries(report.assets.map(({ name, status }) => [name, status]))).toEqual({
    good: 'taken_over',
    beside: 'taken_over',
    bad: 'built',
    above: 'built',
  })
  expect(new Set(server.requests.map(({ path }) => path))).toEqual(new Set(['/pages']))
  const done = await p.svc(['retry'])
  expect(done.code).toBe(0)
  expect(done.stdout).toContain('Nothing to retry: the last run (')
})

test('gc says what goes, as text and as JSON', async () => {
  const { value } = await p.json(['gc', '--dry-run', '--json'])
  expectShape('gc', value)
  expect(value).toMatchObject({ dry_run: true, environments: [], schemas: [] })
  const nothing = await p.svc(['gc'])
  expect(nothing).toMatchObject({ code: 0, stdout: 'Nothing to collect: everything is in use.\n' })
  await p.svc(['sample', 'good', '--size', '2'])
  const dry = await p.svc(['gc', '--dry-run'])
  expect(dry.stdout).toMatch(/^No longer needed:\n\n {2}svc_samples_\w{8}_\w{8} +1 table/)
  const done = await p.svc(['gc'])
  expect(done.stdout).toMatch(/^Deleted what was no longer needed:\n\n {2}svc_samples_\w{8}_\w{8} +1 table/)
  expect((await p.svc(['gc'])).stdout).toContain('Nothing to collect')
})
