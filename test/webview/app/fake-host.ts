/** A host of the dashboard that a test drives by hand, and a small catalogue for it. */
import { type Host, type HostChange, HostError, type RunStream } from '../../../webview/host/host.ts'
import type { ViewState } from '../../../webview/host/view-state.ts'
import type { CatalogAsset, DashboardData, ProjectProblems, StreamEvent } from '../../../webview/protocol.ts'

export function asset(name: string, more: Partial<CatalogAsset> = {}): CatalogAsset {
  return {
    name,
    path: `models/marts/${name}.svc`,
    kind: 'model',
    description: null,
    owner: null,
    tags: [],
    columns: [],
    raw_sql: '',
    compiled_sql: '',
    definition_hash: 'a'.repeat(64),
    active_hash: null,
    status: null,
    last_run: null,
    seconds: null,
    rows: null,
    freshness: null,
    tests: [],
    summary: { total: 0, passed: 0, failed: 0 },
    upstream: [],
    downstream: [],
    ...more,
  }
}

export function dataOf(assets: readonly CatalogAsset[]): DashboardData {
  return {
    catalog: {
      version: 1,
      generated_at: '2026-05-01T12:00:00Z',
      environment: 'prod',
      project: { id: 'p', name: 'p', warehouse: 'duckdb', default_schema: 'main' },
      assets,
      exposures: [],
      lineage: [],
      excluded_columns: 0,
      active_assets: 0,
    },
    quality: { overall: { total_tests: 0, passed: 0, failed: 0, pass_rate: 1 }, assets: [] },
    history: { runs: [] },
    glossary: { project: { id: 1, name: 'p' }, terms: [], metrics: [], dimensions: [], policies: [] },
    changed: [],
  }
}

export interface FakeHost extends Host {
  data: DashboardData
  problem: HostError | undefined
  /** What was asked, in order. */
  readonly asked: string[]
  /** The problems of its files. */
  found: ProjectProblems
  /** What the page would come back to. */
  saved: ViewState | undefined
  emit(event: StreamEvent): void
  /** What the outside says: the editor, a link, a watcher of files. */
  tell(change: HostChange): void
  drop(state: 'open' | 'lost'): void
}

export function fakeHost(data: DashboardData, saved?: ViewState): FakeHost {
  const events = new Set<(event: StreamEvent) => void>()
  const changes = new Set<(change: HostChange) => void>()
  const connections = new Set<(state: 'open' | 'lost') => void>()
  const stream = (runId: string, selector: string): RunStream => ({
    runId,
    kind: runId === 'r2' ? 'rollback' : 'run',
    selector,
    onEvent: listener => added(events, listener),
    onConnection: listener => added(connections, listener),
    close: () => {
      host.asked.push(`close ${runId}`)
      events.clear()
    },
  })
  const opened = async (asked: string, runId: string, selector: string) => {
    host.asked.push(asked)
    if (host.problem !== undefined && asked.startsWith('run')) throw host.problem
    return stream(runId, selector)
  }
  const host: FakeHost = {
    abilities: { run: true, openFile: false, ownTerminal: false },
    data,
    problem: undefined,
    asked: [],
    saved: undefined,
    found: { checked_at: null, failure: null, problems: [] },
    load: async () => {
      host.asked.push('load')
      if (host.problem !== undefined) throw host.problem
      return host.data
    },
    problems: async () => host.found,
    changed: async () => host.data.changed,
    onChange: listener => added(changes, listener),
    columnPath: async () => undefined,
    run: (name, mode) => opened(`run ${name} ${mode}`, 'r1', name),
    attach: runId => opened(`attach ${runId}`, runId, 'first'),
    cancel: async runId => {
      host.asked.push(`cancel ${runId}`)
    },
    rollbackPreview: async () => ({ assets: [] }),
    rollback: names => opened(`rollback ${names.join()}`, 'r2', names.join()),
    openFile: () => {},
    state: {
      load: () => saved,
      save: state => {
        host.saved = state
      },
    },
    tell: change => {
      for (const listener of changes) listener(change)
    },
    emit: event => {
      for (const listener of events) listener(event)
    },
    drop: state => {
      for (const listener of connections) listener(state)
    },
  }
  return host
}

function added<T>(set: Set<T>, listener: T): () => void {
  set.add(listener)
  return () => set.delete(listener)
}

export { HostError }
