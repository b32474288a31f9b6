/** The address of the warehouse becomes that of another engine while the editor is open. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openCatalog } from '@svc/server/catalog'
import { createProject, type Diagnostic, parseSettings } from '@svc/server/language'
import { environmentsOf, sourceReader } from '@svc/server/workspace'
import { expect, it } from 'vitest'
import { postgres } from '../../server/language/engines/postgres/postgres.ts'
import { LiveProject } from '../../server/lsp/project/live-project.ts'
import { OpenCatalog } from '../../server/lsp/project/open-catalog.ts'
import type { ProjectHost } from '../../server/lsp/project/project-host.ts'
import { editorHere } from '../support/editor-here.ts'
import { engine } from '../support/engine.ts'
import { hash } from '../support/spec-project.ts'

const asset = 'name: ranks\ningest: none\ntransform: SELECT row_number() AS n\n'
const usual = 'name: shop\nwarehouse: duckdb:./usual.duckdb\n'
const changed = 'name: shop\nwarehouse: env:SHOP\n'
const env = { SHOP: 'postgres://localhost/shop' }

it('what is said of SQL is said of the SQL of the new engine, and of the old one when it is back', async () => {
  const root = mkdtempSync(join(tmpdir(), 'svc-other-engine-'))
  mkdirSync(join(root, 'models'))
  writeFileSync(join(root, 'svc.yaml'), usual)
  writeFileSync(join(root, 'models', 'ranks.svc'), asset)
  let messages: readonly string[] = []
  const host = {
    now: () => new Date(),
    program: undefined,
    env,
    environmentVariables: [],
    onFailure() {},
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
  const told = () => expect.poll(() => messages, { timeout: 30_000 })
  await told().toEqual(['row_number() needs OVER'])
  project.edit('svc.yaml', changed)
  project.edit('models/ranks.svc', asset)
  await told().toEqual(['window function row_number requires an OVER clause'])
  project.edit('svc.yaml', usual)
  await told().toEqual(['row_number() needs OVER'])
  project.stop()
  rmSync(root, { recursive: true })
}, 120_000)

const mixed = {
  'svc.yaml':
    'name: shop\nwarehouse: duckdb:./dev.duckdb\nenvironments: {prod: {warehouse: env:PROD}, late: {warehouse: env:LATE}}\n',
  'models/days.svc': "name: days\ningest: none\ntransform: SELECT DATE '2024-01-01' AS day, 1::BIGINT AS n\n",
}
const ofDays = (sql: string) =>
  `name: own\ningest: none\ntransform: SELECT ${sql} AS v FROM {{ ref('days') }}\n`

it('a file is checked on the engines of all environments, and the chosen one says types', async () => {
  const root = mkdtempSync(join(tmpdir(), 'svc-other-engine-'))
  mkdirSync(join(root, 'models'))
  for (const [path, text] of Object.entries(mixed)) writeFileSync(join(root, path), text)
  const path = 'models/own.svc'
  const text = ofDays("strftime(day, '%Y')")
  writeFileSync(join(root, path), text)
  const editor = await editorHere(root, undefined, { PROD: 'postgres://localhost/shop' })
  try {
    const told = () =>
      expect.poll(async () => (await editor.problems(path)).map(each => each.split('\n')[0]), {
        timeout: 60_000,
        interval: 200,
      })
    editor.open(path, text)
    await told().toEqual(['unknown function "strftime" (in prod on PostgreSQL)'])
    editor.change(path, ofDays("to_char(day, 'YYYY')"))
    await told().toEqual(['unknown function "to_char" (in dev on DuckDB)'])
    editor.change(path, ofDays('nothing'))
    await told().toEqual(['unknown column "nothing"'])
    const hovered = async () =>
      JSON.stringify(await editor.ask('hover', 'models/days.svc', { position: { line: 2, character: 57 } }))
    editor.open('models/days.svc', mixed['models/days.svc'])
    expect(await hovered()).toContain('BIGINT')
    const choose = (environment: string) =>
      editor.connection.sendNotification('svc/environment', { root: pathToFileURL(root).href, environment })
    editor.change(path, ofDays("strftime(day, '%Y')"))
    await told().toEqual(['unknown function "strftime" (in prod on PostgreSQL)'])
    await choose('prod')
    await expect.poll(hovered, { timeout: 60_000 }).toContain('bigint')
    await told().toEqual(['unknown function "strftime" (in prod on PostgreSQL)'])
    await choose('not a name')
    await choose('dev')
    await expect.poll(hovered, { timeout: 60_000 }).toContain('BIGINT')
    editor.change('models/days.svc', mixed['models/days.svc'])
    editor.open('svc.yaml', usual)
    await told().toEqual([])
  } finally {
    await editor.close()
    rmSync(root, { recursive: true })
  }
}, 240_000)

it('what no engine decides is said of no environment: encodings, Python, and what the last run said', async () => {
  const root = mkdtempSync(join(tmpdir(), 'svc-other-engine-'))
  mkdirSync(join(root, 'models'))
  const files = {
    ...mixed,
    'svc.yaml': Buffer.from(`# caf\u00e9\n${mixed['svc.yaml']}`, 'latin1'),
    'glossary.yaml': Buffer.from('terms:\n  - {name: Caf\u00e9}\n', 'latin1'),
    'models/strange.svc': Buffer.from(ofDays("'caf\u00e9'"), 'latin1'),
    'models/own.svc':
      "name: own\ningest: none\ntransform:\n  python: |\n    def transform(svc):\n        return svc.ref('days').df(), nothing\n",
    'svc_catalog.json': JSON.stringify({
      environment: 'prod',
      assets: [
        { name: 'days', status: 'Deployed', warnings: [{ code: 'more-pages', message: 'there are more' }] },
      ],
    }),
  }
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text)
  const editor = await editorHere(root, undefined, { PROD: 'postgres://localhost/shop' })
  const told = async (path: string) => (await editor.problems(path)).map(each => each.split('\n')[0])
  try {
    // The other engine is done when it has said what it alone refuses.
    const path = 'models/late.svc'
    editor.open(path, ofDays("strftime(day, '%Y')").replace('own', 'late'))
    await expect
      .poll(() => told(path), { timeout: 60_000 })
      .toEqual(['unknown function "strftime" (in prod on PostgreSQL)'])
    const encoding = 'the file is not UTF-8 text: byte E9 is wrong here'
    expect(await told('svc.yaml')).toEqual([encoding])
    expect(await told('glossary.yaml')).toEqual([encoding])
    expect(await told('models/strange.svc')).toContain(encoding)
    expect(await told('models/own.svc')).toContain('undefined name "nothing"')
    expect(await told('models/days.svc')).toEqual([
      'the last run warned here (prod): there are more [more-pages]',
    ])
  } finally {
    await editor.close()
    rmSync(root, { recursive: true })
  }
}, 120_000)

it('data that change are looked at for all engines', async () => {
  const root = mkdtempSync(join(tmpdir(), 'svc-other-engine-'))
  mkdirSync(join(root, 'models'))
  const path = 'models/read.svc'
  const text =
    'name: read\ningest: {type: file, endpoint: ., resource: data.csv}\ntransform: SELECT more FROM {{ source }}\n'
  const files = { ...mixed, [path]: text, 'data.csv': 'id\n1\n' }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(root, name), content)
  const editor = await editorHere(root, undefined, { PROD: 'postgres://localhost/shop' })
  const told = () =>
    expect.poll(async () => (await editor.problems(path)).map(each => each.split('\n')[0]), {
      timeout: 20_000,
      interval: 200,
    })
  const late = async () => {
    editor.open('models/late.svc', ofDays("strftime(day, '%Y')").replace('own', 'late'))
    await expect
      .poll(async () => (await editor.problems('models/late.svc')).map(each => each.split('\n')[0]), {
        timeout: 60_000,
      })
      .toEqual(['unknown function "strftime" (in prod on PostgreSQL)'])
  }
  try {
    editor.open(path, text)
    await late()
    await told().toEqual(['unknown column "more"'])
    writeFileSync(join(root, 'data.csv'), 'id,more\n1,2\n')
    await editor.connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: editor.uri('data.csv'), type: 2 }],
    })
    await told().toEqual([])
  } finally {
    await editor.close()
    rmSync(root, { recursive: true })
  }
}, 120_000)

it('a chosen environment that the settings do not name is one of its engine', () => {
  const text =
    'warehouse: postgres://db/shop\nenvironments: {dev: {warehouse: "duckdb:a"}, prod: {warehouse: "duckdb:b"}}\n'
  const of = (environment: string) => environmentsOf(parseSettings(text, {}, environment))
  expect([of('dev'), of('other')]).toEqual([['dev', 'prod'], ['other']])
})

it('a catalogue stays as long as the engine and its extensions do', async () => {
  const catalogs = new OpenCatalog(() => new Map())
  const first = catalogs.for({ engine, load: [] })
  expect(catalogs.for({ engine, load: [] })).toBe(first)
  const second = catalogs.for({ engine, load: ['SELECT 1'] })
  expect(second).not.toBe(first)
  expect(catalogs.for({ engine: postgres, load: ['SELECT 1'] })).not.toBe(second)
  catalogs.close()
})

it('a catalogue refuses a project of another engine', async () => {
  const catalog = await openCatalog(engine)
  await expect(catalog.analyze(projectOf(changed), new Map())).rejects.toThrow(
    'a catalogue of DuckDB was asked about a project of PostgreSQL: open another one',
  )
  catalog.close()
})

it('columns of sources meet where the new engine takes their names for one', async () => {
  const root = mkdtempSync(join(tmpdir(), 'svc-other-engine-'))
  const ingest = 'ingest: {type: rows, naming: source, rows: [{id: 1, ID: 2}]}'
  const project = projectOf(usual, `name: raw\n${ingest}\ntransform: SELECT * FROM {{ source }}\n`)
  const reader = sourceReader({ root })
  const codes = async (settings: string) => {
    const { diagnostics } = await reader.read(project.withSettings(parseSettings(settings, env)))
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
  return createProject({ settings: parseSettings(settings, env), files, hash })
}
