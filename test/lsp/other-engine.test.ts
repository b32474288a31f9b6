/** The address of the warehouse becomes that of another engine while the editor is open. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCatalog } from '@svc/server/catalog'
import { createProject, type Diagnostic, type Engine, parseSettings } from '@svc/server/language'
import { sourceReader } from '@svc/server/workspace'
import { expect, it, vi } from 'vitest'
import type { WorkerOptions } from '../../server/catalog/worker/messages.ts'
import { LiveProject } from '../../server/lsp/project/live-project.ts'
import { OpenCatalog } from '../../server/lsp/project/open-catalog.ts'
import type { ProjectHost } from '../../server/lsp/project/project-host.ts'
import { engine } from '../support/engine.ts'
import { hash } from '../support/spec-project.ts'

/** One without window functions, which takes no two names for the same that are not. */
const { other } = vi.hoisted(() => ({ other: { known: undefined as Engine | undefined } }))

vi.mock('../../server/language/engines/index.ts', async importOriginal => {
  const original = await importOriginal<{ engineOf(warehouse: string): Engine }>()
  const usual = original.engineOf('duckdb:')
  const functions = { ...usual.functions, windows: new Set<string>() }
  const fold = (name: string) => name
  other.known = { ...usual, kind: 'other', label: 'Other', functions, fold }
  return {
    ...original,
    engineOf: (warehouse: string) => (warehouse.includes('other') ? other.known : usual),
  }
})

// What is asked of its databases those of the usual engine answer.
vi.mock('../../server/catalog/worker/databases.ts', async importOriginal => {
  const original = await importOriginal<typeof import('../../server/catalog/worker/databases.ts')>()
  return {
    ...original,
    openDatabase: (options: WorkerOptions) => original.openDatabase({ ...options, engine: 'duckdb' }),
  }
})

const asset = 'name: ranks\ningest: none\ntransform: SELECT row_number() AS n\n'
const usual = 'name: shop\nwarehouse: duckdb:./usual.duckdb\n'
const changed = 'name: shop\nwarehouse: duckdb:./other.duckdb\n'

it('what is said of SQL is said of the SQL of the new engine, and of the old one when it is back', async () => {
  const root = mkdtempSync(join(tmpdir(), 'svc-other-engine-'))
  mkdirSync(join(root, 'models'))
  writeFileSync(join(root, 'svc.yaml'), usual)
  writeFileSync(join(root, 'models', 'ranks.svc'), asset)
  let messages: readonly string[] = []
  const host = {
    now: () => new Date(),
    program: undefined,
    environmentVariables: [],
    onLargeWork() {},
    functions: () => new Map(),
    progress: () => ({ report() {}, end() {} }),
    log: { info() {}, warn: expect.fail, error: expect.fail },
    onChanged() {},
    onDiagnostics(_project: LiveProject, found: ReadonlyMap<string, readonly Diagnostic[]>) {
      messages = found.get('models/ranks.svc')?.map(({ message }) => message) ?? messages
    },
  } as unknown as ProjectHost
  const project = new LiveProject({ root, host })
  const told = () => expect.poll(() => messages)
  await told().toEqual(['row_number() needs OVER'])
  project.edit('svc.yaml', changed)
  project.edit('models/ranks.svc', asset)
  await told().toEqual(['unknown function "row_number"'])
  project.edit('svc.yaml', usual)
  await told().toEqual(['row_number() needs OVER'])
  project.stop()
  rmSync(root, { recursive: true })
})

it('a catalogue stays as long as the engine and its extensions do', async () => {
  const catalogs = new OpenCatalog(() => new Map())
  const first = catalogs.for({ engine, load: [] })
  expect(catalogs.for({ engine, load: [] })).toBe(first)
  const second = catalogs.for({ engine, load: ['SELECT 1'] })
  expect(second).not.toBe(first)
  expect(catalogs.for({ engine: otherEngine(), load: ['SELECT 1'] })).not.toBe(second)
  catalogs.close()
})

it('a catalogue refuses a project of another engine', async () => {
  const catalog = await openCatalog(engine)
  await expect(catalog.analyze(projectOf(changed), new Map())).rejects.toThrow(
    'a catalogue of DuckDB was asked about a project of Other: open another one',
  )
  catalog.close()
})

it('columns of sources meet where the new engine takes their names for one', async () => {
  const root = mkdtempSync(join(tmpdir(), 'svc-other-engine-'))
  const ingest = 'ingest: {type: rows, naming: source, rows: [{id: 1, ID: 2}]}'
  const project = projectOf(usual, `name: raw\n${ingest}\ntransform: SELECT * FROM {{ source }}\n`)
  const reader = sourceReader({ root })
  const codes = async (settings: string) => {
    const { diagnostics } = await reader.read(project.withSettings(parseSettings(settings)))
    return diagnostics.map(({ code }) => code)
  }
  expect(await codes(usual)).toEqual(['names-meet'])
  expect(await codes(changed)).toEqual([])
  expect(await codes(usual)).toEqual(['names-meet'])
  reader.close()
  rmSync(root, { recursive: true })
})

function projectOf(settings: string, text = asset) {
  const files = [{ path: 'models/asset.svc', text }]
  return createProject({ settings: parseSettings(settings), files, hash })
}

function otherEngine(): Engine {
  if (other.known === undefined) throw new Error('the engines are not loaded')
  return other.known
}
