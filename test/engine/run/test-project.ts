/** A project in a temporary folder with a real warehouse, for tests of runs: files in, workspace out. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openCatalog } from '@svc/server/catalog'
import {
  createProject,
  parseGlossary,
  parseSettings,
  type SourceShapes,
  usualPromotion,
} from '@svc/server/language'
import { afterEach } from 'vitest'
import { SvcError } from '../../../cli/engine/errors.ts'
import type { RunReport } from '../../../cli/engine/run/events.ts'
import { type RunRequest, runProject } from '../../../cli/engine/run/run-project.ts'
import { closeLeftOpen } from '../../../cli/engine/warehouse/duckdb/open-instances.ts'
import { openWarehouse } from '../../../cli/engine/warehouse/open.ts'
import type { Warehouse, WarehouseSession } from '../../../cli/engine/warehouse/warehouse.ts'
import { sha256 } from '../../../cli/engine/workspace/open-workspace.ts'
import type { Workspace } from '../../../cli/engine/workspace/workspace.ts'
import type { RunEvent } from '../../../server/contract/index.ts'
import { engineOf } from '../../../server/language/engines/index.ts'
import {
  freshWarehouse,
  kindUnderTest,
  removeWarehouse,
  urlUnderTest,
} from '../../support/warehouse-under-test.ts'

/** Asset name to its text below `name:`. */
export type Files = Readonly<Record<string, string>>

export interface TestProject {
  readonly root: string
  files: Record<string, string>
  /** The clock stands still unless a test moves it. */
  clock: Date
  /** Extra lines of svc.yaml. */
  settings: string
  /** The text of glossary.yaml; undefined if there is none. */
  glossary: string | undefined
  name: string
  /** The git branch that the environment `dev` is of. */
  branch: string | undefined
  /** The environment variables; none unless a test says otherwise. */
  env: Record<string, string>
  /** The address of its warehouse, made with the first question. */
  warehouseUrl(): Promise<string>
  /** One of its own unless a test says otherwise. */
  openWarehouse(): Promise<Warehouse>
  /** Where an environment shows its assets. */
  schemaOf(environment: string): string
  workspace(environment?: string, signal?: AbortSignal): Promise<Workspace>
  run(request?: Partial<RunRequest>, environment?: string): Promise<RunReport>
  /** Events of the last run. */
  events: RunEvent[]
  query(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** What is in a schema, each with its kind behind its name, sorted. */
  relations(schema: string): Promise<readonly string[]>
  withSession<T>(work: (session: WarehouseSession) => Promise<T>): Promise<T>
  remove(): Promise<void>
}

/** An expression that every engine binds, and that fails when it is evaluated; its message has the word `no`. */
export const failing = "CAST(concat('no') AS INTEGER)"

let runs = 0
const engine = engineOf(urlUnderTest)
/** Of svc.yaml: which engine the SQL is for, where it is not the usual one. */
const warehouseLine = kindUnderTest === 'duckdb' ? '' : `warehouse: ${urlUnderTest}\n`

export function testProject(files: Files): TestProject {
  const root = mkdtempSync(join(tmpdir(), 'svc-run-'))
  let url: Promise<string> | undefined
  const project: TestProject = {
    root,
    files: { ...files },
    clock: new Date('2026-03-01T12:00:00Z'),
    settings: '',
    glossary: undefined,
    name: 'test',
    branch: undefined,
    env: {},
    schemaOf: environment => schemaOf(environment, project.branch),
    warehouseUrl: () => (url ??= freshWarehouse()),
    // Opening a file costs more than most tests ask of it, and a run opens its file several times.
    openWarehouse: async () =>
      openWarehouse(await project.warehouseUrl(), { root, project: project.name, endsSoon: true }),
    events: [],
    async workspace(environment = 'prod', signal = new AbortController().signal) {
      return openTestWorkspace(project, environment, signal)
    },
    async run(request = {}, environment = 'prod') {
      const workspace = await project.workspace(environment)
      project.events = []
      project.clock = new Date(project.clock.getTime() + 1000)
      try {
        return await runProject(
          workspace,
          { kind: 'run', selector: undefined, noIngest: false, allTests: false, ...request },
          event => project.events.push(event),
        )
      } finally {
        await workspace.close()
      }
    },
    query: sql => project.withSession(session => session.query(sql)),
    relations: schema =>
      project.withSession(async session =>
        (await session.relations(schema)).map(({ name, kind }) => `${name} ${kind}`).sort(),
      ),
    async withSession(work) {
      const warehouse = await project.openWarehouse()
      const session = await warehouse.open('write')
      try {
        return await work(session)
      } finally {
        await session.close()
      }
    },
    async remove() {
      if (url !== undefined) await removeWarehouse(await url)
      await closeLeftOpen()
      rmSync(root, { recursive: true, force: true })
    },
  }
  return project
}

async function openTestWorkspace(
  test: TestProject,
  environment: string,
  signal: AbortSignal,
): Promise<Workspace> {
  const settings = parseSettings(`name: ${test.name}\n${test.settings}\n${warehouseLine}`)
  const texts = new Map(
    Object.entries(test.files).map(([name, text]) => [`models/${name}.svc`, assetText(name, text)]),
  )
  for (const [path, text] of texts) {
    mkdirSync(dirname(join(test.root, path)), { recursive: true })
    writeFileSync(join(test.root, path), text)
  }
  const project = createProject({
    settings,
    files: [...texts].map(([path, text]) => ({ path, text })),
    hash: sha256,
    glossary: parseGlossary(test.glossary, engine),
  })
  const catalog = await openCatalog(engine)
  let sources: SourceShapes = new Map()
  const stateName = stateNameOf(environment, test.branch)
  let analysis = catalog.analyze(project, sources)
  return {
    root: test.root,
    project,
    get sources() {
      return sources
    },
    lockedSources: new Set(),
    sourceDiagnostics: [],
    catalog,
    signal,
    world: {
      now: () => test.clock,
      newRunId: () => `run${String(++runs).padStart(4, '0')}`,
      env: test.env,
      cwd: test.root,
      user: 'tester',
      host: 'localhost',
      pid: process.pid,
      cores: 2,
    },
    environment: {
      name: environment,
      stateName,
      schema: test.schemaOf(environment),
      schemaFor: base => (environment === 'prod' ? base : `${base}_${stateName}`),
      warehouseUrl: urlUnderTest,
      vars: settings.vars,
      promotion: (settings.environments[environment]?.promotion ?? usualPromotion).what,
      patience: settings.environments[environment]?.promotion ?? usualPromotion,
      warnings: settings.environments[environment]?.warnings ?? 'show',
      branch: environment === 'dev' ? test.branch : undefined,
    },
    analysis: () => analysis,
    textOf: path => (path === 'svc.yaml' ? settings.file?.text : texts.get(path)),
    reshape(shapes) {
      sources = new Map(
        [...shapes].flatMap(([name, tables]) => (tables === undefined ? [] : [[name, tables]])),
      )
      analysis = catalog.analyze(project, sources)
      return analysis
    },
    warehouse: () => test.openWarehouse(),
    stateFolder: async () => {
      const folder = join(test.root, '.svc', environment)
      mkdirSync(folder, { recursive: true })
      return folder
    },
    close: async () => catalog.close(),
  }
}

function stateNameOf(environment: string, branch: string | undefined): string {
  return environment === 'dev' && branch !== undefined ? `dev_${branch}` : environment
}

function schemaOf(environment: string, branch: string | undefined): string {
  return environment === 'prod' ? 'analytics' : `analytics_${stateNameOf(environment, branch)}`
}

/** A model without a source needs its SQL only. */
function assetText(name: string, text: string): string {
  if (text.includes('\n')) return `name: ${name}\n${text}\n`
  return `name: ${name}\ningest: none\ntransform: |\n  ${text}\n`
}

/** What became of each asset, in one line each, sorted. */
export function outcomes(report: RunReport): string[] {
  return report.assets.map(({ name, status }) => `${name} ${status}`).sort()
}

/** Makes projects that are removed after each test of the file that calls this. */
export function projectMaker(): (files: Files) => TestProject {
  const open: TestProject[] = []
  afterEach(async () => {
    for (const made of open.splice(0)) await made.remove()
  })
  return files => {
    const made = testProject(files)
    open.push(made)
    return made
  }
}

/** The SvcError that the work is refused with. */
export async function refusal(work: Promise<unknown>): Promise<SvcError> {
  const error = await work.then(
    () => undefined,
    thrown => thrown,
  )
  if (error instanceof SvcError) return error
  throw error ?? new Error('nothing was refused')
}
