import { describe, expect, it, vi } from 'vitest'
import { detailOf, markOf } from '../../../webview/graph/lens.ts'
import { keptIn, lastFailure, lastRunFacts, reasonOf, remedyOf } from '../../../webview/store/attempts.ts'
import { tableRows, treeRows, typeAhead } from '../../../webview/store/rows.ts'
import { cancelRun, startRun } from '../../../webview/store/runs.ts'
import { makeStore, openAsset, reload, takeChange } from '../../../webview/store/store.ts'
import { asset, dataOf, fakeHost, HostError } from './fake-host.ts'

const now = Date.parse('2026-05-01T12:00:00Z')
const shop = dataOf([
  asset('orders', { kind: 'source', path: 'models/sources/orders.svc', downstream: ['daily'] }),
  asset('daily', { upstream: ['orders'], status: 'Failed', last_run: '2026-05-01T10:00:00Z', rows: 5 }),
  asset('weekly', { upstream: ['daily'], status: 'deployed', last_run: '2026-04-30T10:00:00Z', rows: 50 }),
])
const attempt = (at: string, change: object) => ({
  run_id: at,
  kind: 'run' as const,
  status: 'deployed' as const,
  selector: null,
  started_at: at,
  finished_at: at,
  generation: 1,
  error: null,
  unchanged: 0,
  assets: [],
  ending: 'finished' as const,
  has_log: true,
  failed_asset: null,
  verdict: 'Deployed' as const,
  warned: 0,
  causes: [],
  more_causes: 0,
  ...change,
})
vi.stubGlobal('requestAnimationFrame', queueMicrotask)

async function loaded(host = fakeHost(shop)) {
  const store = makeStore(host, now)
  await reload(store)
  return { host, store }
}

describe('the store', () => {
  it('comes back to where the user was, but not to an asset that is gone', async () => {
    const saved = {
      version: 1,
      selected: 'gone',
      tab: 'quality',
      view: 'table',
      scope: 'direct',
      focus: null,
      lens: 'status',
      filter: 'tag:core',
      hidden: ['kind:source'],
      column: null,
      wide: true,
      drawer: 500,
      closed: ['staging'],
      camera: { x: 1, y: 2, zoom: 3 },
      moved: { daily: [4, 5] },
      expanded: ['group:marts'],
    } as const
    const { store } = await loaded(fakeHost(shop, saved))
    expect(store.viewState.value).toEqual({ ...saved, selected: null })
  })

  it('keeps what is shown when loading again fails, and says why', async () => {
    const { host, store } = await loaded()
    host.problem = new HostError('expired', 'the session is over')
    await reload(store)
    expect(store.load.value).toEqual({ is: 'failed', problem: host.problem })
    expect(store.data.value).toBe(shop)
    expect([store.connection.value, store.canRun.value]).toEqual(['expired', false])
    host.problem = undefined
    await reload(store)
    expect([store.connection.value, store.canRun.value]).toEqual(['open', true])
  })

  it('opens what exists and says what does not', async () => {
    const { store } = await loaded()
    openAsset(store, 'daily')
    openAsset(store, 'nothing')
    expect(store.selected.value).toBe('daily')
    expect(store.recent.value).toEqual(['daily'])
    expect(store.notice.value).toBe('There is no asset nothing in this catalogue.')
  })

  it('knows when time alone makes an asset too old', async () => {
    const watched = { freshness: { warn_after_seconds: 3600, error_after_seconds: null } }
    const { store } = await loaded(
      fakeHost(
        dataOf([
          asset('orders', { status: 'deployed', last_run: '2026-05-01T11:30:00Z', ...watched }),
          asset('daily'),
        ]),
      ),
    )
    const first = store.model.value
    expect(first?.nodes[0]?.freshness).toBe('ok')
    store.nowMs.value = now + 60_000
    expect(store.model.value).toBe(first)
    store.nowMs.value = now + 3_600_000
    expect(store.model.value?.nodes[0]?.freshness).toBe('warn')
  })

  it('takes changes from outside', async () => {
    const { host, store } = await loaded()
    const daily = 'models/marts/daily.svc'
    host.data = { ...host.data, changed: [{ path: daily, change: 'edited' }] }
    takeChange(store, { type: 'stale' }, () => {})
    takeChange(store, { type: 'reveal', asset: 'weekly' }, () => {})
    takeChange(store, { type: 'search' }, () => {})
    await vi.waitFor(() => expect(store.data.value?.changed).toHaveLength(1))
    expect([store.selected.value, store.paletteOpen.value]).toEqual(['weekly', true])
  })

  it('finds what was edited since the last run, and what a rollback left behind, with state:modified', async () => {
    const live = { active_hash: 'a'.repeat(64), status: 'deployed' } as const
    const { host, store } = await loaded(
      fakeHost(
        dataOf([asset('a', live), asset('b', live), asset('c', { ...live, active_hash: 'b'.repeat(64) })]),
      ),
    )
    store.filter.value = 'state:modified'
    const names = () => {
      const filtered = store.filtered.value
      const kept = 'kept' in filtered ? [...(filtered.kept ?? [])] : []
      return kept.map(index => store.model.value?.nodes[index]?.name)
    }
    expect(names()).toEqual(['c'])
    host.data = { ...host.data, changed: [{ path: 'models/marts/a.svc', change: 'edited' }] }
    await reload(store)
    expect(names()).toEqual(['a', 'c'])
  })

  it('marks an asset that failed in a run which the catalogue does not know, until a newer one builds it', async () => {
    const run = (started_at: string, change: object) => ({
      run_id: started_at,
      kind: 'run' as const,
      status: 'Failed' as const,
      selector: null,
      started_at,
      finished_at: started_at,
      generation: null,
      error: 'unit test "week" fails',
      unchanged: 0,
      assets: [],
      ending: 'finished' as const,
      has_log: true,
      failed_asset: 'weekly',
      verdict: 'Failed' as const,
      warned: 0,
      causes: [],
      more_causes: 0,
      ...change,
    })
    const failed = run('2026-05-01T11:00:00Z', {})
    const { host, store } = await loaded(fakeHost({ ...shop, history: { runs: [failed] } }))
    const statusOf = (name: string) => store.model.value?.nodes.find(node => node.name === name)?.status
    expect(statusOf('weekly')).toBe('failed')
    expect(store.failures.value.get('weekly')?.error).toBe('unit test "week" fails')
    const built = { name: 'weekly', status: 'built', rows: 1, seconds: 1, definition_hash: 'a' }
    const later = run('2026-05-01T11:30:00Z', { status: 'deployed', failed_asset: null, assets: [built] })
    host.data = { ...shop, history: { runs: [later, failed] } }
    await reload(store)
    expect(statusOf('weekly')).toBe('deployed')
  })

  it('knows of a run that deployed all others why an asset failed, and since when its live version is there', () => {
    const did = (name: string, status: string) => ({
      name,
      status,
      rows: 1,
      seconds: 1,
      definition_hash: 'a',
    })
    const good = attempt('2026-05-01T02:00:00Z', { assets: [did('weekly', 'built'), did('daily', 'built')] })
    const error = 'test unique_id of daily failed: 1 row'
    const assets = [did('daily', 'test_failed'), did('weekly', 'test_failed'), did('board', 'kept')]
    const partly = attempt('2026-05-02T02:00:00Z', { error, failed_asset: 'daily', assets })
    const runs = [partly, good]
    expect(lastFailure(runs, 'daily')).toBe(partly)
    expect(lastFailure(runs, 'board')).toBeUndefined()
    expect(reasonOf(asset('daily', {}), partly)).toBe(error)
    const failing = { name: 'not_null_week', status: 'fail' as const, execution_time: 1, scan: { tests: 1 } }
    expect(reasonOf(asset('weekly', { tests: [failing] }), partly)).toBe('failed: not_null_week')
    expect(keptIn(partly)).toBe(3)
  })

  it('tells of an asset that failed its own reason, what to do and where, also beside other failures', () => {
    const about = { rows: null, seconds: 1, definition_hash: 'a', status: 'failed' }
    const daily = {
      ...about,
      name: 'daily',
      because: 'no column "day"',
      hint: 'Add it.',
      place: 'm/d.svc:4:9',
    }
    const weekly = { ...about, name: 'weekly', because: 'no answer' }
    const failed = attempt('2026-05-02T02:00:00Z', {
      status: 'Failed' as const,
      error: 'no column "day"',
      hint: 'Add it.',
      failed_asset: 'daily',
      assets: [daily, weekly],
    })
    expect(reasonOf(asset('weekly', {}), failed)).toBe('no answer')
    expect(remedyOf(asset('daily', {}), failed)).toMatchObject({ hint: 'Add it.', place: 'm/d.svc:4:9' })
    expect(remedyOf(asset('weekly', {}), failed).hint).toBeUndefined()
    // A history without reasons: only the first failure is known, by the run.
    const old = {
      ...failed,
      assets: [
        { ...about, name: 'daily' },
        { ...about, name: 'weekly' },
      ],
    }
    expect(remedyOf(asset('daily', {}), old).hint).toBe('Add it.')
    expect(remedyOf(asset('weekly', {}), old).hint).toBeUndefined()
  })

  it('shows the figures of one run as the last run of an asset', () => {
    const did = (status: string, seconds: number, rows: number | null) => ({
      name: 'daily',
      status,
      rows,
      seconds,
      definition_hash: 'a',
    })
    const good = attempt('2026-05-01T02:00:00Z', { assets: [did('built', 3, 40)] })
    const bad = attempt('2026-05-02T02:00:00Z', {
      status: 'Failed' as const,
      error: 'no column',
      assets: [did('failed', 0.3, null)],
    })
    const live = { status: 'deployed' as const, rows: 40, seconds: 3, last_run: good.finished_at }
    expect(lastRunFacts(asset('daily', live), [good])).toEqual({ at: good.finished_at, seconds: 3, rows: 40 })
    const broken = { ...live, status: 'Failed' as const, seconds: 0.3, last_run: bad.finished_at }
    expect(lastRunFacts(asset('daily', broken), [bad, good])).toEqual({
      at: bad.finished_at,
      seconds: 0.3,
      rows: null,
    })
    // The rows of an asset that keeps its live build are not those of the run.
    const kept = { ...bad, status: 'deployed' as const, assets: [did('test_failed', 0.2, 40)] }
    expect(lastRunFacts(asset('daily', broken), [kept, good])?.rows).toBeNull()
    // The history does not list what a run left unchanged.
    const verified = { ...live, seconds: null, last_run: '2026-05-03T02:00:00Z' }
    expect(lastRunFacts(asset('daily', verified), [good])).toEqual({
      at: '2026-05-03T02:00:00Z',
      seconds: null,
      rows: 40,
    })
    expect(lastRunFacts(asset('daily', { last_run: null }), [])).toBeUndefined()
  })

  it('counts the problems of files on their assets', async () => {
    const host = fakeHost(shop)
    const at = { code: 'sql-unknown-column', message: 'no column', hint: null, line: 3, column: 1 }
    host.found = {
      checked_at: '2026-05-01T12:00:00Z',
      failure: null,
      problems: [
        { ...at, severity: 'error', path: 'models/marts/weekly.svc' },
        { ...at, severity: 'warning', path: 'models/marts/weekly.svc' },
      ],
    }
    const { store } = await loaded(host)
    await vi.waitFor(() => expect(store.problems.value.problems).toHaveLength(2))
    const node = store.model.value?.nodes.find(({ name }) => name === 'weekly')
    expect(node?.problems).toEqual({ errors: 1, warnings: 1 })
    expect(node && markOf(node)?.word).toBe('File broken')
    expect(node && detailOf(node, node.status)).toBe('model · File broken')
  })
})

describe('a run', () => {
  it('shows its lines and, when it ended, what it made', async () => {
    const { host, store } = await loaded()
    await startRun(store, 'daily', 'upstream')
    expect(store.shownRun.value).toBe('r1')
    host.emit({ id: 'r1:0', type: 'log', line: 'hello', asset: null })
    host.drop('lost')
    await Promise.resolve()
    expect(store.runs.value[0]).toMatchObject({ connection: 'lost', lines: [{ text: 'hello' }] })
    host.drop('open')
    host.emit({
      id: 'r1:1',
      type: 'end',
      status: 'deployed',
      verdict: 'Deployed',
      warned: 0,
      exit_code: 0,
      seconds: 1,
      reason: null,
    })
    await Promise.resolve()
    expect(store.notice.value).toBe('Run daily: Deployed.')
    expect(store.activeRun.value).toBeUndefined()
    expect(host.asked).toEqual(['load', 'run daily upstream', 'close r1', 'load'])
  })

  it('whose lines come by the thousand leaves the graph alone until an asset changes', async () => {
    const { host, store } = await loaded()
    await startRun(store, 'daily', 'asset')
    const step = { type: 'status', asset: 'daily', rows: null, seconds: null } as const
    host.emit({ id: 'r1:0', ...step, status: 'running' })
    await Promise.resolve()
    const before = store.live.value
    expect([...before]).toEqual([['daily', 'running']])
    host.emit({ id: 'r1:1', type: 'log', line: 'hello', asset: null })
    await Promise.resolve()
    expect(store.live.value).toBe(before)
    host.emit({ id: 'r1:2', ...step, status: 'done' })
    await Promise.resolve()
    expect([...store.live.value]).toEqual([['daily', 'done']])
  })

  it('that is refused because another runs shows the first', async () => {
    const { host, store } = await loaded()
    host.problem = new HostError('busy', 'another run is running', { runId: 'r0', hint: 'It is shown.' })
    await startRun(store, 'daily', 'asset')
    expect(store.notice.value).toBe('Another run is running. It is shown.')
    expect(store.shownRun.value).toBe('r0')
    await cancelRun(store, 'r0')
    expect(host.asked).toEqual(['load', 'run daily asset', 'attach r0', 'cancel r0'])
  })
})

describe('rows', () => {
  it('of the table are sorted, what needs a look first', async () => {
    const { store } = await loaded()
    const model = store.model.value
    if (model === undefined) throw new Error('no model')
    const names = (key: 'status' | 'rows' | 'name', descending = false) =>
      tableRows(model, undefined, { key, descending }).map(row => row.node.name)
    expect(names('status')).toEqual(['daily', 'orders', 'weekly'])
    expect(names('rows', true)).toEqual(['weekly', 'daily', 'orders'])
    expect(tableRows(model, new Set([0]), { key: 'name', descending: false })).toMatchObject([
      { up: 0, down: 1 },
    ])
  })

  it('of the tree begin with sources; a closed folder says how much failed', async () => {
    const { store } = await loaded()
    const model = store.model.value
    if (model === undefined) throw new Error('no model')
    const rows = treeRows(model, undefined, new Set(['marts']))
    expect(rows).toMatchObject([
      { type: 'group', name: 'sources', open: true },
      { type: 'node', node: { name: 'orders' }, position: 1, of: 1 },
      { type: 'group', name: 'marts', open: false, count: 2, failed: 1 },
    ])
    expect([typeAhead(rows, 2, 'o'), typeAhead(rows, 0, 'x')]).toEqual([1, -1])
  })
})
