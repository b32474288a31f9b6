/**
 * The state of the dashboard as signals; views read them and call the functions. All derived values are
 * computed here, so that they are tested without a page.
 */
import { computed, signal } from '@preact/signals-core'
import { type Filtered, filterOf, watchesRuns } from '../graph/filter.ts'
import { freshnessOf } from '../graph/freshness.ts'
import { makeGraphModel, type NodeStatus } from '../graph/model.ts'
import { mostUngrouped } from '../graph/view.ts'
import { type ConnectionState, type Host, type HostChange, HostError } from '../host/host.ts'
import { drawerWidths, firstViewState, type ViewState } from '../host/view-state.ts'
import type {
  AttemptedRun,
  CatalogAsset,
  ColumnName,
  ColumnPath,
  DashboardData,
  ProjectProblems,
  QualityFile,
  QualityTest,
} from '../protocol.ts'
import { failedSince } from './attempts.ts'
import { changedAssets } from './changed.ts'
import { problemCounts } from './problems.ts'
import type { RunLog } from './run-log.ts'

export type Panel = ViewState['view']
export type Tab = ViewState['tab']

export type LoadState =
  | { readonly is: 'loading' }
  | { readonly is: 'ready' }
  | { readonly is: 'failed'; readonly problem: HostError }

export type Store = Readonly<ReturnType<typeof makeStore>>

export function makeStore(host: Host, nowMs: number, elkUrl?: string) {
  const signals = makeSignals(host, nowMs)
  /** `elkUrl` is the address of the worker for the better layout; undefined if there is none. */
  return { host, elkUrl, ...signals, ...derived(host, signals) }
}

/** What the page was told, and what the user chose. */
function makeSignals(host: Host, nowMs: number) {
  const saved = host.state.load() ?? firstViewState()
  const { camera, moved, expanded } = saved
  return {
    data: signal<DashboardData | undefined>(undefined),
    load: signal<LoadState>({ is: 'loading' }),
    /** The problems of the project's files. */
    problems: signal<ProjectProblems>({ checked_at: null, failure: null, problems: [] }),
    connection: signal<ConnectionState>('open'),
    nowMs: signal(nowMs),
    /** The name of an asset, or `exposure:<name>`. */
    selected: signal(saved.selected),
    tab: signal(saved.tab),
    panel: signal(saved.view),
    scope: signal(saved.scope),
    filter: signal(saved.filter),
    lens: signal(saved.lens),
    /** The hidden legend entries, as lens and entry: `kind:source`. */
    hidden: signal<ReadonlySet<string>>(new Set(saved.hidden)),
    /** The node around which the scope is drawn; null means everything. */
    focus: signal(saved.focus),
    /** The column whose path is drawn. */
    pathOf: signal(saved.column),
    path: signal<ColumnPath | undefined>(undefined),
    /** How many columns of the path the graph shows. */
    pathShown: signal(0),
    /** Whether the graph shows all assets on the path, and no others. */
    wholePath: signal(false),
    /** Whether a narrow page, which has no room beside the details, shows them. */
    details: signal(false),
    /** Whether the selected asset takes the whole width. */
    wide: signal(saved.wide),
    /** The asset of a link that was followed to this page, until the data are there. */
    linked: signal(host.state.linked),
    /** The width of the details in CSS pixels. */
    drawerWidth: signal(drawerWithin(saved.drawer)),
    /** The closed folders of the navigator. */
    closed: signal<ReadonlySet<string>>(new Set(saved.closed)),
    paletteOpen: signal(false),
    /** On a narrow page the navigator opens as an overlay. */
    navigatorOpen: signal(false),
    recent: signal<readonly string[]>([]),
    runs: signal<readonly RunLog[]>([]),
    /** The run whose lines are shown; null if the panel is closed. */
    shownRun: signal<string | null>(null),
    rollbackOf: signal<readonly string[] | null>(null),
    /** A message for the status line and for screen readers. */
    notice: signal(''),
    /** The run of the notice, which then links to its lines. */
    noticeRun: signal<string | null>(null),
    graph: signal({ camera, moved, expanded }),
  }
}

/** Returns the freshness of all assets, with one letter each. */
function agesOf(assets: readonly CatalogAsset[], nowMs: number): string {
  return assets.map(asset => freshnessOf(asset, nowMs)?.[0] ?? '-').join('')
}

/** Returns the number of failed tests that only warn, by asset. */
function warningsOf(quality: QualityFile | undefined): ReadonlyMap<string, number> {
  const isWarning = ({ status, severity }: QualityTest) => status === 'fail' && severity === 'warn'
  const counts = (quality?.assets ?? []).map(
    ({ name, tests }) => [name, tests.filter(isWarning).length] as const,
  )
  return new Map(counts.filter(([, count]) => count > 0))
}

const noSteps: RunLog['steps'] = new Map()

/** All that can be worked out of it. */
function derived(host: Host, store: ReturnType<typeof makeSignals>) {
  // Unchanged while only lines arrive, because thousands of them must not rebuild the graph.
  const steps = computed(() => store.runs.value.find(run => !run.taken)?.steps ?? noSteps)
  const live = computed<ReadonlyMap<string, NodeStatus>>(
    () => new Map([...steps.value].map(([name, step]) => [name, step.status])),
  )
  const ages = computed(() => agesOf(store.data.value?.catalog.assets ?? [], store.nowMs.value))
  const failures = computed<ReadonlyMap<string, AttemptedRun>>(() => {
    const data = store.data.value
    return data === undefined ? new Map() : failedSince(data)
  })
  // Rebuilt for another catalogue, or when an age passes a limit, but not with every tick of the clock.
  const model = computed(() => {
    void ages.value
    const data = store.data.value
    if (data === undefined) return undefined
    return makeGraphModel(data.catalog, store.nowMs.peek(), {
      warnings: warningsOf(data.quality),
      problems: problemCounts(store.problems.value.problems),
      failed: new Set(failures.value.keys()),
    })
  })
  return {
    model,
    /** The newest run in which an asset failed, if that is newer than what the catalogue says of the asset. */
    failures,
    /** The result of the filter and the legend. */
    filtered: computed<Filtered>(() => {
      const data = store.data.value
      if (data === undefined || model.value === undefined) return { kept: undefined }
      const { value: hidden } = store.hidden
      return filterOf(model.value, data.catalog, {
        text: store.filter.value,
        hidden,
        live: watchesRuns(hidden) ? live.value : undefined,
        changed: changedAssets(data),
      })
    }),
    asset: computed(() =>
      store.data.value?.catalog.assets.find(asset => asset.name === store.selected.value),
    ),
    /** The run that was started from this page and has not ended. */
    activeRun: computed(() => store.runs.value.find(run => run.end === undefined)),
    /** The state of assets in a run, until the catalogue includes it. */
    live,
    /** Whether runs and rollbacks may be started. */
    canRun: computed(() => host.abilities.run && store.connection.value === 'open'),
    viewState: computed(() => stateOf(store)),
  }
}

function stateOf(store: ReturnType<typeof makeSignals>): ViewState {
  return {
    version: 1,
    selected: store.selected.value,
    tab: store.tab.value,
    view: store.panel.value,
    scope: store.scope.value,
    focus: store.focus.value,
    lens: store.lens.value,
    filter: store.filter.value,
    hidden: [...store.hidden.value],
    column: store.pathOf.value,
    wide: store.wide.value,
    drawer: store.drawerWidth.value,
    closed: [...store.closed.value],
    ...store.graph.value,
  }
}

export function drawerWithin(width: number): number {
  return Math.round(Math.min(drawerWidths.most, Math.max(drawerWidths.least, width)))
}

const mostRecent = 8

/** Shows an asset beside the graph. An unknown name is reported instead of showing an empty drawer. */
export function openAsset(store: Store, id: string): void {
  if (store.model.value !== undefined && !store.model.value.indexOf.has(id)) {
    store.notice.value = `There is no asset ${id} in this catalogue.`
    return
  }
  store.selected.value = id
  store.details.value = true
  store.navigatorOpen.value = false
  // If not everything is shown, the graph moves to the requested node.
  const isPartial = (store.model.value?.nodes.length ?? 0) > mostUngrouped
  if (isPartial || store.focus.value !== null) store.focus.value = id
  store.recent.value = [id, ...store.recent.value.filter(each => each !== id)].slice(0, mostRecent)
}

/** Keeps the shown data until the new snapshot has arrived; an error leaves them in place. */
export async function reload(store: Store): Promise<void> {
  if (store.data.value === undefined) store.load.value = { is: 'loading' }
  try {
    const data = await store.host.load()
    store.data.value = data
    store.load.value = { is: 'ready' }
    store.connection.value = 'open'
    forgetGone(store)
    void lookUpProblems(store)
    followLink(store)
    if (store.pathOf.value !== null) void lookUpPath(store, store.pathOf.value)
  } catch (error) {
    noteFailure(store, error)
  }
}

/** The page of a large project shows what is around the asset of a link, as after a search. */
function followLink(store: Store): void {
  const asset = store.linked.peek()
  store.linked.value = undefined
  if (asset !== undefined) openAsset(store, asset)
}

/** Problems that cannot be looked up leave those that were known. */
async function lookUpProblems(store: Store): Promise<void> {
  const problems = await store.host.problems().catch(() => undefined)
  if (problems !== undefined) store.problems.value = problems
}

function noteFailure(store: Store, error: unknown): void {
  const problem = asHostError(error)
  if (problem.problem === 'aborted') return
  store.load.value = { is: 'failed', problem }
  noteConnection(store, problem)
}

export function noteConnection(store: Store, { problem }: HostError): void {
  if (problem === 'expired' || problem === 'stopped') store.connection.value = problem
}

export function asHostError(error: unknown): HostError {
  if (error instanceof HostError) return error
  return new HostError('failed', error instanceof Error ? error.message : String(error))
}

/** A stored name that no longer exists is cleared from selection and focus. */
function forgetGone({ selected, focus, pathOf, path, model }: Store): void {
  const isGone = (id: string | undefined) => id !== undefined && model.value?.indexOf.has(id) !== true
  if (isGone(selected.value ?? undefined)) selected.value = null
  if (isGone(focus.value ?? undefined)) focus.value = null
  if (!isGone(pathOf.value?.asset)) return
  pathOf.value = null
  path.value = undefined
}

/** Draws the path of a column; calling it again for the same column removes the path. */
export async function showPath(store: Store, asset: string, column: string): Promise<void> {
  const before = store.pathOf.peek()
  if (before?.asset === asset && before.column === column) {
    hidePath(store)
    return
  }
  store.pathOf.value = { asset, column }
  uncoverGraph(store)
  await lookUpPath(store, store.pathOf.value)
}

/** The same as in `styles/narrow.css`: there is no graph there. */
const tablePage = '(max-width: 460px)'

/** A path is drawn in the graph: whatever lies over it gives way, details on a narrow page among them. */
function uncoverGraph(store: Store): void {
  if (globalThis.matchMedia?.(tablePage).matches) return
  store.panel.value = 'graph'
  store.wide.value = false
  store.details.value = false
}

export function hidePath(store: Store): void {
  store.wholePath.value = false
  store.pathOf.value = null
  store.path.value = undefined
}

async function lookUpPath(store: Store, name: ColumnName): Promise<void> {
  const path = await store.host.columnPath(name.asset, name.column).catch(() => undefined)
  if (store.pathOf.peek() !== name) return
  store.path.value = path
  if (path !== undefined) {
    if (globalThis.matchMedia?.(tablePage).matches) store.notice.value = pathInWords(path)
    return
  }
  store.pathOf.value = null
  store.notice.value = `Where ${name.asset}.${name.column} comes from is not known.`
}

/** Shows everything again by clearing all filters. */
export function clearFilters(store: Store): void {
  store.filter.value = ''
  store.hidden.value = new Set()
}

export function takeChange(store: Store, change: HostChange, watch: (runId: string) => void): void {
  if (change.type === 'data') void reload(store)
  else if (change.type === 'stale') void lookUpChanged(store)
  else if (change.type === 'problems') void lookUpProblems(store)
  else if (change.type === 'connection') store.connection.value = change.state
  else if (change.type === 'run') watch(change.runId)
  else if (change.type === 'reveal') reveal(store, change.asset)
  else store.paletteOpen.value = true
}

/** The editor shows the source of an asset: on a narrow page its lineage stays in sight beside it. */
function reveal(store: Store, asset: string): void {
  openAsset(store, asset)
  store.details.value = false
}

async function lookUpChanged(store: Store): Promise<void> {
  const changed = await store.host.changed().catch(() => undefined)
  const { value } = store.data
  if (value !== undefined && changed !== undefined) store.data.value = { ...value, changed }
}

/** Returns the path as a list, for a page that has no room to draw it. */
function pathInWords({ columns, uses, targets, exposures }: ColumnPath): string {
  const [chosen, ...others] = columns
  const ends = [
    ...others.map(({ asset, column }) => `${asset}.${column}`),
    ...uses.map(({ from, asset, clauses }) => `${asset} (${clauses.join(', ')} ${from.column})`),
    ...targets.map(({ target }) => target),
    ...exposures.map(({ exposure }) => exposure),
  ]
  return `Path of ${chosen?.asset}.${chosen?.column}: ${ends.length === 0 ? 'nothing else has anything of it' : [...new Set(ends)].join(', ')}.`
}
