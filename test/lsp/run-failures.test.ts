/** A failure of the last run is a warning in the editor, at its place, until a run did better or the file is edited. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Diagnostic } from 'vscode-languageserver-protocol/node'
import { sha256 } from '../../server/workspace/sha256.ts'
import { buildCommand } from '../support/cli.ts'
import { type Editor, startEditor } from './editor.ts'

beforeAll(buildCommand, 240_000)

const orders = `name: orders
ingest: none
transform: SELECT 1 AS id, 'opn' AS state
tests:
  - accepted_values: {state: [open]}
`
const file = 'models/orders.svc'
const failure = {
  message: 'test accepted_values_state of orders failed: 1 row',
  hint: null,
  place: `${file}:5:5`,
  text_hash: sha256(orders),
}

let root = ''
let editor: Editor
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-lsp-')))
  mkdirSync(join(root, 'models'))
  writeFileSync(join(root, 'svc.yaml'), 'name: p\n')
  writeFileSync(join(root, 'warehouse.duckdb'), '')
  writeFileSync(join(root, file), orders)
})
afterEach(async () => {
  expect(await editor.quit()).toBe(0)
  expect(editor.log).toEqual([])
  rmSync(root, { recursive: true, force: true })
})

const uri = () => pathToFileURL(join(root, file)).href
const none = (found: readonly Diagnostic[]) => found.length === 0
const some = (found: readonly Diagnostic[]) => found.length > 0

function writeCatalog(asset: object, publishes: readonly object[] = []): void {
  const assets = [{ name: 'orders', status: 'Failed', last_run: '2026-05-01T02:00:00Z', ...asset }]
  writeFileSync(join(root, 'svc_catalog.json'), JSON.stringify({ environment: 'prod', assets, publishes }))
}

async function begin(asset: object): Promise<void> {
  writeCatalog(asset)
  editor = await startEditor({ folders: [root] })
}

async function runEnded(asset: object): Promise<void> {
  writeCatalog(asset)
  await editor.connection.sendNotification('workspace/didChangeWatchedFiles', {
    changes: [{ uri: pathToFileURL(join(root, 'svc_catalog.json')).href, type: 2 }],
  })
}

it('says where the night failed, why and what to do, without a file being opened', async () => {
  await begin({ failure })
  const found = await editor.published(uri(), some)
  expect(found).toMatchObject([
    {
      severity: 2,
      source: 'svc',
      code: 'last-run-failed',
      range: { start: { line: 4, character: 4 }, end: { line: 4, character: 19 } },
    },
  ])
  expect(found[0]?.message).toMatch(
    /^the last run failed here \(prod, \d{4}-\d\d-\d\d \d\d:\d\d\): test accepted_values_state of orders failed: 1 row\nAfter a fix: svc retry --env prod$/,
  )
})

it('says what the run itself advised, and marks the key of a line that begins with none of its words', async () => {
  await begin({ failure: { ...failure, hint: 'Write it in the contract.', place: `${file}:2:8` } })
  const [found] = await editor.published(uri(), some)
  expect(found?.message).toContain('\nWrite it in the contract.')
  expect(found?.range).toEqual({ start: { line: 1, character: 0 }, end: { line: 1, character: 6 } })
})

it('goes while the file is edited and comes back with its text, and goes when a run did better', async () => {
  await begin({ failure })
  await editor.published(uri(), some)
  editor.open(uri(), orders)
  editor.change(uri(), { text: orders.replace('[open]', '[open, opn]') })
  await editor.published(uri(), none)
  editor.change(uri(), { text: orders })
  await editor.published(uri(), some)
  await runEnded({ status: 'deployed' })
  await editor.published(uri(), none)
  await runEnded({ failure })
  await editor.published(uri(), some)
})

it('is silent about files of an older svc and about a failure of another text', async () => {
  await begin({ failure: { ...failure, text_hash: sha256('name: orders\n') } })
  await runEnded({ status: 'Failed' })
  // What is typed is answered after all of that.
  editor.open(uri(), orders.replace('1 AS id', 'nope AS id'))
  const found = await editor.published(uri(), some)
  expect(found.map(({ code }) => code)).not.toContain('last-run-failed')
})

it('says what the last run warned of, as long as that is live', async () => {
  const warnings = [
    { code: 'equal-records', asset: 'orders', message: '2 records came before', hint: 'Look.' },
  ]
  await begin({ status: 'deployed', warnings })
  const [found] = await editor.published(uri(), some)
  expect(found).toMatchObject({
    severity: 2,
    code: 'last-run-warned',
    range: { start: { line: 0, character: 0 } },
  })
  expect(found?.message).toBe('the last run warned here (prod): 2 records came before [equal-records]\nLook.')
  await runEnded({ status: 'deployed' })
  await editor.published(uri(), none)
})

it('says what the last publish to a target has warned of, at the target', async () => {
  writeFileSync(
    join(root, file),
    `${orders}publish:\n  crm: {type: http, endpoint: "https://x.example", key: id}\n`,
  )
  const warnings = [{ code: 'stale-build', asset: 'orders', message: 'it is an earlier one', hint: 'Look.' }]
  const last = { run_id: 'r', status: 'Failed', at: '2026-05-01T02:00:00Z', warnings }
  writeCatalog({ status: 'deployed' }, [{ kind: 'publish', name: 'crm', asset: 'orders', last }])
  editor = await startEditor({ folders: [root] })
  const warned = (found: readonly Diagnostic[]) => found.some(({ code }) => code === 'last-run-warned')
  const found = (await editor.published(uri(), warned)).find(({ code }) => code === 'last-run-warned')
  expect(found?.range.start.line).toBe(6)
  expect(found?.message).toBe(
    'the last publish to crm warned here (prod): it is an earlier one [stale-build]\nLook.',
  )
})
