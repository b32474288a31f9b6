/** What the last run deployed is not told any more when the warehouse has been deleted. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { LastResults } from '../../server/lsp/project/last-results.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-results-'))
  const orders = { name: 'orders', status: 'deployed', last_run: '2026-05-01T10:00:00Z', rows: 3 }
  const catalog = { environment: 'dev', assets: [orders] }
  writeFileSync(join(root, 'svc_catalog.json'), JSON.stringify(catalog))
  writeFileSync(join(root, 'warehouse.duckdb'), '')
})
afterEach(() => rmSync(root, { recursive: true }))

async function read(warehouseOf?: (environment: string) => string | undefined): Promise<LastResults> {
  return new Promise(resolve => {
    const results = new LastResults(root, () => resolve(results), warehouseOf)
    results.read(['svc_catalog.json'])
  })
}

it('a warehouse that is there has what was deployed to it, one that was deleted has nothing', async () => {
  const results = await read(environment => (environment === 'dev' ? './warehouse.duckdb' : undefined))
  expect(results.runs.get('orders')?.rows).toBe(3)
  rmSync(join(root, 'warehouse.duckdb'))
  expect(results.runs.size).toBe(0)
})

it('a warehouse that is a server is taken to be there', async () => {
  expect((await read(() => undefined)).runs.size).toBe(1)
})
