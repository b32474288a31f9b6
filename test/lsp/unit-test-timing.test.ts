/** SQL is never kept waiting by unit tests, and what unit tests say never outlives what it was said of. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openCatalog } from '@svc/server/catalog'
import { createProject, type ProjectAnalysis, parseSettings } from '@svc/server/language'
import { beforeAll, describe, expect, it } from 'vitest'
import type { DocumentDiagnosticReport } from 'vscode-languageserver-protocol/node'
import { startProcess, startWorkersBy } from '../../server/catalog/worker/worker-process.ts'
import { UnitTestTiming } from '../../server/lsp/project/unit-test-timing.ts'
import { buildCommand } from '../support/cli.ts'
import { engine } from '../support/engine.ts'
import { hash } from '../support/spec-project.ts'
import { pullCapabilities, startEditor } from './editor.ts'

startWorkersBy(startProcess)

const failing = `name: sums
ingest: none
transform: SELECT sum(n) AS total FROM {{ ref('numbers') }}
tests:
  - unit:
      given: {numbers: [{n: 1}]}
      expect: [{total: 2}]
`
const numbers = 'name: numbers\ningest: none\ntransform: SELECT 1 AS n\n'

describe('unit tests in an editor', () => {
  const project = createProject({
    settings: parseSettings(undefined),
    files: [
      { path: 'models/sums.svc', text: failing },
      { path: 'models/numbers.svc', text: numbers },
    ],
    hash,
  })
  const codes = (analysis: ProjectAnalysis) => analysis.of('sums')?.diagnostics.map(({ code }) => code)

  async function timing(stepMs: number) {
    let nowMs = 0
    const units = new UnitTestTiming(() => {
      nowMs += stepMs
      return new Date(nowMs)
    })
    const catalog = await openCatalog(engine)
    const ask = {
      catalog,
      project,
      shapes: new Map(),
      signal: { aborted: false },
      mayStopSql: true,
    }
    return { units, ask, catalog }
  }

  it('tells quick tests along with the SQL, and has nothing to add', async () => {
    const { units, ask, catalog } = await timing(0)
    const soon = await units.soon(ask)
    expect(codes(soon)).toEqual(['unit-test-failed'])
    expect(await units.rest(ask)).toBe(soon)
    catalog.close()
  })

  it('tells slow tests later', async () => {
    const { units, ask, catalog } = await timing(1000)
    expect(codes(await units.soon(ask))).toEqual([])
    expect(codes(await units.rest(ask))).toEqual(['unit-test-failed'])
    catalog.close()
  })

  it('runs none for who has typed on', async () => {
    const { units, ask, catalog } = await timing(0)
    const signal = { aborted: true }
    const soon = await units.soon({ ...ask, mayStopSql: false, signal })
    expect(soon.of('sums')?.columns.map(({ name }) => name)).toEqual(['total'])
    expect(soon.of('sums')?.unitTests).toBeUndefined()
    expect(codes(await units.soon(ask))).toEqual(['unit-test-failed'])
    catalog.close()
  })
})

/** It is stopped when its time is over. */
const slow = `name: slow
ingest: none
transform: SELECT count(*) AS n FROM {{ ref('numbers') }}, range(1000000) a(i), range(1000000) b(j) WHERE hash(i, j) = 1
tests:
  - unit:
      given: {numbers: [{n: 1}]}
      expect: [{n: 0}]
`
const reader = `name: reader\ningest: none\ntransform: SELECT n, nope FROM {{ ref('slow') }}\n`

describe('a session', () => {
  beforeAll(buildCommand, 240_000)

  it('shows what SQL says while a unit test runs, and what the test says when it is done', async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-units-')))
    const uri = (path: string) => pathToFileURL(join(root, path)).href
    mkdirSync(join(root, 'models'))
    for (const [path, text] of [
      ['svc.yaml', 'name: p\n'],
      ['models/numbers.svc', numbers],
      ['models/slow.svc', slow],
      ['models/reader.svc', reader],
    ] as const)
      writeFileSync(join(root, path), text)
    const editor = await startEditor({ folders: [root], capabilities: pullCapabilities })
    const order: string[] = []
    let stopsAsking = false
    const ask = async (path: string) => {
      const report = await editor.connection.sendRequest<DocumentDiagnosticReport>(
        'textDocument/diagnostic',
        { textDocument: { uri: uri(path) } },
      )
      return report.kind === 'full' ? report.items.map(({ code }) => String(code)) : [report.kind]
    }
    const refreshed = new Promise<void>(resolve => {
      editor.connection.onRequest('workspace/diagnostic/refresh', () => {
        if (stopsAsking) resolve()
        return null
      })
    })
    editor.open(uri('models/slow.svc'), slow)
    editor.open(uri('models/reader.svc'), reader)
    expect(await ask('models/reader.svc')).toEqual(['sql-unknown-column'])
    order.push('reader')
    for (const column of ['nop', 'no', 'n2']) {
      editor.change(uri('models/slow.svc'), { text: slow.replace('SELECT', `SELECT ${column},`) })
      expect(await ask('models/slow.svc')).toEqual(['sql-unknown-column'])
      order.push(column)
      editor.change(uri('models/slow.svc'), { text: slow })
      expect(await ask('models/slow.svc')).toEqual([])
      order.push('well again')
    }
    stopsAsking = true
    editor.change(uri('models/reader.svc'), { text: `${reader}# typed\n` })
    expect(await ask('models/reader.svc')).toEqual(['sql-unknown-column'])
    order.push('reader again')
    await refreshed
    order.push('asked to ask again')
    expect(await ask('models/slow.svc')).toEqual(['sql-too-expensive'])
    const well = 'well again'
    const last = ['reader again', 'asked to ask again']
    expect(order).toEqual(['reader', 'nop', well, 'no', well, 'n2', well, ...last])
    expect(await editor.quit()).toBe(0)
    expect(editor.log).toEqual([])
    rmSync(root, { recursive: true })
  }, 240_000)
})
