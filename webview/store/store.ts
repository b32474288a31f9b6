/**
 * The state of the dashboard as signals; views read them and call the functions. All derived values are
 * computed here, so that they are tested without a page.
 */
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core'
import { type Filtered, filterOf, watchesRuns } from '../graph/filter.ts'
import { freshnessOf } from '../graph/freshness.ts'
import type { Lens } from '../graph/lens.ts'
import { type GraphModel, makeGraphModel, type NodeStatus } from '../graph/model.ts'
import { mostUngrouped } from '../graph/view.ts'
import { type ConnectionState, type Host, type HostChange, HostError } from '../host/host.ts'
import type {
  AttemptedRun,
  CatalogAsset,
  ColumnName,
  ColumnPath,
  DashboardData,
  ProjectProblems,
  QualityFile,
  QualityTest,
  ViewState,
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

export interface Store {
  readonly host: Host
  readonly data: Signal<DashboardData | undefined>
  readonly load: Signal<LoadState>
  /** The problems of the project's files. */
  readonly problems: Signal<ProjectProblems>
  readonly connection: Signal<ConnectionState>
  readonly nowMs: Signal<number>
  /** The name of an asset, or `exposure:<name>`. */
  readonly selected: Signal<string | null>
  readonly tab: Signal<Tab>
  readonly panel: Signal<Panel>
  readonly scope: Signal<ViewState['scope']>
  readonly filter: Signal<string>
  readonly lens: Signal<Lens>
  /** The hidden legend entries, as lens and entry: `kind:source`. */
  readonly hidden: Signal<ReadonlySet<string>>
  /** The node around which the scope is drawn; null means everything. */
  readonly focus: Signal<string | null>
  /** The column whose path is drawn. */
  readonly pathOf: Signal<ColumnName | null>
  readonly path: Signal<ColumnPath | undefined>
  /** How many columns of the path the graph shows. */
  readonly pathShown: Signal<number>
  /** Whether the graph shows all assets on the path, and no others. */
  readonly wholePath: Signal<boolean>
  /** The address of the worker for the better layout; undefined if there is none. */
  readonly elkUrl: string | undefined
  /** Whether a narrow page, which has no room beside the details, shows them. */
  readonly details: Signal<boolean>
  /** Whether the selected asset takes the whole width. */
  readonly wide: Signal<boolean>
  /** The asset of a link that was followed to this page, until the data are there. */
  readonly linked: Signal<string | undefined>
  /** The width of the details in CSS pixels. */
  readonly drawerWidth: Signal<number>
  /** The closed folders of the navigator. */
  readonly closed: Signal<ReadonlySet<string>>
  readonly paletteOpen: Signal<boolean>
  /** On a narrow page the navigator opens as an overlay. */
  readonly navigatorOpen: Signal<boolean>
  readonly recent: Signal<readonly string[]>
  readonly runs: Signal<readonly RunLog[]>
  /** The run whose lines are shown; null if the panel is closed. */
  readonly shownRun: Signal<string | null>
  readonly rollbackOf: Signal<readonly string[] | null>
  /** A message for the status line and for screen readers. */
  readonly notice: Signal<string>
  /** The run of the notice, which then links to its lines. */
  readonly noticeRun: Signal<string | null>
  readonly graph: Signal<Pick<ViewState, 'camera' | 'moved' | 'expanded'>>

  readonly model: ReadonlySignal<GraphModel | undefined>
  /** The newest run in which an asset failed, if that is newer than what the catalogue says of the asset. */
  readonly failures: ReadonlySignal<ReadonlyMap<string, AttemptedRun>>
  /** The result of the filter and the legend. */
  readonly filtered: ReadonlySignal<Filtered>
  readonly asset: ReadonlySignal<CatalogAsset | undefined>
  /** The run that was started from this page and has not ended. */
  readonly activeRun: ReadonlySignal<RunLog | undefined>
  /** The state of assets in a run, until the catalogue includes it. */
  readonly live: ReadonlySignal<ReadonlyMap<string, NodeStatus>>
  readonly canRun: ReadonlySignal<boolean>
  readonly canRollback: ReadonlySignal<boolean>
  readonly viewState: ReadonlySignal<ViewState>
}

export function makeStore(host: Host, nowMs: number, elkUrl?: string): Store {
  const saved = host.state.load()
  const base = {
    host,
    elkUrl,
    data: signal<DashboardData | undefined>(undefined),
    load: signal<LoadState>({ is: 'loading' }),
    problems: signal<ProjectProblems>({ checked_at: null, failure: null, problems: [] }),
    connection: signal<ConnectionState>('open'),
    nowMs: signal(nowMs),
    selected: signal(saved?.selected ?? null),
    tab: signal<Tab>(saved?.tab ?? 'overview'),
    panel: signal<Panel>(saved?.view ?? 'graph'),
    scope: signal<ViewState['scope']>(saved?.scope ?? 'near'),
    filter: signal(saved?.filter ?? ''),
    lens: signal<Lens>(saved?.lens ?? 'kind'),
    hidden: signal<ReadonlySet<string>>(new Set(saved?.hidden)),
    focus: signal<string | null>(saved?.focus ?? null),
    pathOf: signal<ColumnName | null>(saved?.column ?? null),
    path: signal<ColumnPath | undefined>(undefined),
    pathShown: signal(0),
    wholePath: signal(false),
    details: signal(false),
    wide: signal(saved?.wide ?? false),
    linked: signal(host.state.linked),
    drawerWidth: signal(drawerWithin(saved?.drawer ?? drawerWidths.usual)),
    closed: signal<ReadonlySet<string>>(new Set(saved?.closed)),
    paletteOpen: signal(false),
    navigatorOpen: signal(false),
    recent: signal<readonly string[]>([]),
    runs: signal<readonly RunLog[]>([]),
    shownRun: signal<string | null>(null),
    rollbackOf: signal<readonly string[] | null>(null),
    notice: signal(''),
    noticeRun: signal<string | null>(null),
    graph: signal<Pick<ViewState, 'camera' | 'moved' | 'expanded'>>({
      camera: saved?.camera ?? null,
      moved: saved?.moved ?? {},
      expanded: saved?.expanded ?? [],
    }),
  }
  return { ...base, ...derived(base) }
}

type Derived =
  | 'model'
  | 'failures'
  | 'filtered'
  | 'asset'
  | 'activeRun'
  | 'live'
  | 'canRun'
  | 'canRollback'
  | 'viewState'

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

function derived(store: Omit<Store, Derived>): Pick<Store, Derived> {
  const { host } = store
  const isServed = computed(() => store.connection.value === 'open')
  // Unchanged while only lines arrive, because thousands of them must not rebuild the graph.
  const steps = computed(() => store.runs.value.find(run => !run.taken)?.steps ?? noSteps)
  const live = computed(() => new Map([...steps.value].map(([name, step]) => [name, step.status])))
  const ages = computed(() => agesOf(store.data.value?.catalog.assets ?? [], store.nowMs.value))
  const failures = computed(() => {
    const data = store.data.value
    return data === undefined ? new Map<string, AttemptedRun>() : failedSince(data)
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
    failures,
    filtered: computed(() => {
      const data = store.data.value
      if (data === undefined || model.value === undefined) return { kept: undefined }
      const { value: hidden } = store.hidden
      const statuses = watchesRuns(hidden) ? live.value : undefined
      const changed = changedAssets(data)
      return filterOf(model.value, data.catalog, {
        text: store.filter.value,
        hidden,
        live: statuses,
        changed,
      })
    }),
    asset: computed(() =>
      store.data.value?.catalog.assets.find(asset => asset.name === store.selected.value),
    ),
    activeRun: computed(() => store.runs.value.find(run => run.end === undefined)),
    live,
    canRun: computed(() => host.abilities.run && isServed.value),
    canRollback: computed(() => host.abilities.rollback && isServed.value),
    viewState: computed(() => ({
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
    })),
  }
}

/** Widths in CSS pixels. */
export const drawerWidths = { least: 280, usual: 380, most: 760 } as const

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
  if (problem.problem === 'expired' || problem.problem === 'stopped') store.connection.value = problem.problem
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
  await lookUpPath(store, store.pathOf.value)
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
  if (path !== undefined) return
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
