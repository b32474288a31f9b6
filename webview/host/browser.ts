/**
 * The host for browsers, served by `svc ui` (interface.md 4.3): HTTP for requests, server-sent events for
 * changes.
 */
import type { JsonOf } from '@svc/server/contract'
import {
  type ColumnPath,
  type DashboardData,
  type ProjectProblems,
  type RollbackPreview,
  selectorOf,
} from '../protocol.ts'
import { keepEvents, type ServerEvent } from './event-reader.ts'
import { type Host, type HostChange, HostError, type RunAbout, type RunStream } from './host.ts'
import { ask, askJson, post } from './http.ts'
import { openRunStream } from './http-run.ts'
import { onLink, pageState } from './page-state.ts'

export interface BrowserOptions {
  readonly readOnly: boolean
  /** Distinguishes the projects. */
  readonly project: string
}

export function browserHost({ readOnly, project }: BrowserOptions): Host {
  /** The server announces every run to all pages; these are the runs that this page started. */
  const own = new Set<string>()
  return {
    abilities: { run: !readOnly, openFile: false, ownTerminal: false },
    load,
    problems: () => askJson<ProjectProblems>('api/problems.json'),
    changed: async () => (await askJson<About>('api/dashboard.json')).changed,
    onChange: listener => watchServer(listener, own),
    columnPath,
    async run(asset, mode) {
      const runId = newRunId(own)
      const selector = selectorOf(asset, mode)
      const start = `api/stream/run?asset=${encodeURIComponent(selector)}&run=${runId}`
      return openRunStream({ runId, kind: 'run', selector, start })
    },
    attach,
    async cancel(runId) {
      await post(`api/run/cancel?run=${encodeURIComponent(runId)}`)
    },
    rollbackPreview(names) {
      const query = names.map(name => `asset=${encodeURIComponent(name)}`).join('&')
      return askJson<RollbackPreview>(`api/rollback.json?${query}`)
    },
    async rollback(names) {
      const runId = newRunId(own)
      await post('api/rollback', names.length === 0 ? { run: runId } : { run: runId, assets: names })
      return openRunStream({ runId, kind: 'rollback', selector: names.join(',') || 'everything' })
    },
    openFile: () => {},
    state: pageState(project),
  }
}

/** The server's description of itself. */
type About = JsonOf<'dashboard'>

async function load(): Promise<DashboardData> {
  const [catalog, quality, history, glossary, about] = await Promise.all([
    askJson<DashboardData['catalog']>('api/catalog.json'),
    askJson<DashboardData['quality']>('api/quality.json'),
    askJson<DashboardData['history']>('api/history.json'),
    askJson<DashboardData['glossary']>('api/glossary.json'),
    askJson<About>('api/dashboard.json'),
  ])
  return { catalog, quality, history, glossary, changed: about.changed }
}

async function columnPath(asset: string, column: string): Promise<ColumnPath | undefined> {
  const query = new URLSearchParams({ asset, column })
  try {
    return await askJson<ColumnPath>(`api/column-path.json?${query}`)
  } catch (error) {
    if (error instanceof HostError && error.problem === 'unknown-run') return undefined
    throw error
  }
}

async function attach(runId: string, about?: RunAbout): Promise<RunStream> {
  const { kind, selector } = about ?? (await latestRun(runId))
  return openRunStream({ runId, kind, selector: selector ?? 'everything' })
}

async function latestRun(runId: string): Promise<RunAbout> {
  const { run } = await askJson<About>('api/dashboard.json')
  return run?.run === runId ? run : { kind: 'run', selector: null }
}

function newRunId(own: Set<string>): string {
  const id = crypto.randomUUID()
  own.add(id)
  return id
}

function watchServer(listener: (change: HostChange) => void, own: ReadonlySet<string>): void {
  let wasOpen = false
  onLink(asset => listener({ type: 'reveal', asset }))
  keepEvents({
    open: (_lastId, signal) => ask('api/changes', { signal }),
    onEvent: event => {
      const change = changeOf(event, own)
      if (change !== undefined) listener(change)
    },
    onState(state) {
      listener({ type: 'connection', state })
      if (state !== 'open') return
      // Changes during the interruption, or while the page was hidden, were not reported, so the data are
      // loaded again.
      if (wasOpen) listener({ type: 'data' })
      wasOpen = true
    },
    onEnd: () => listener({ type: 'connection', state: 'stopped' }),
  })
}

function changeOf({ type, data }: ServerEvent, own: ReadonlySet<string>): HostChange | undefined {
  if (type === 'change') return { type: 'data' }
  if (type === 'stale' || type === 'problems') return { type }
  if (type !== 'run' || typeof data !== 'object' || data === null || !('run' in data)) return undefined
  const { run: runId } = data
  return typeof runId === 'string' && !own.has(runId) ? { type: 'run', runId } : undefined
}
