/** Records of state, in and out, of any engine. */
import { beforeEach, describe, expect, it } from 'vitest'
import {
  deleteBuilds,
  deleteCatalog,
  deleteDrift,
  deleteLoadedFiles,
  deleteRefused,
  deleteRejects,
  deleteUnused,
  deleteViews,
  finishHistory,
  forgetEnvironment,
  insertBuild,
  insertBuilds,
  insertDefinitions,
  insertDrift,
  insertHistory,
  insertLineage,
  insertLoadedFiles,
  insertRejects,
  insertTestResults,
  type Row,
  replaceAssets,
  replaceMarks,
  replayRejects,
  type StateChange,
  setLive,
  upsertCatalog,
  upsertViews,
} from '../../../../cli/engine/state/changes.ts'
import { readRunMaps } from '../../../../cli/engine/state/reachable-builds.ts'
import { emptyState } from '../../../../cli/engine/state/state.ts'
import type { OwnedTable } from '../../../../cli/engine/state/tables.ts'
import type { WarehouseSession } from '../../../../cli/engine/warehouse/warehouse.ts'
import { asset, at, build, catalog, child, history, odd, testRecord } from '../../state/records.ts'
import type { Ground } from './ground.ts'

/** The values of the keys that the other has: records decode theirs on access. */
function copyOf<T extends object>(record: T | undefined, like: T): Partial<T> {
  const entries = Object.keys(like).map(key => [key, record?.[key as keyof T]])
  return Object.fromEntries(entries) as Partial<T>
}

export function describeState(ground: Ground): void {
  describe('records of state', () => {
    let session: WarehouseSession

    beforeEach(async () => {
      session = await ground.write()
    })

    async function stored(...changes: (readonly StateChange[])[]): Promise<void> {
      await session.state.commit(changes.flat())
    }

    it('give back many records as they give back few', async () => {
      await session.state.initialise()
      const records = (from: number, to: number) =>
        Array.from({ length: to - from }, (_, index) =>
          build(`k${from + index}`, {
            ...{
              asset: odd,
              children: { [odd]: child },
              pins: ['k', odd],
              load_id: odd,
              created_at: at(index % 60),
            },
            ...(index % 3 === 0 && { rows: null, sql: null }),
          }),
        )
      const few = records(0, 50)
      const many = records(50, 250)
      for (const added of [few, many]) {
        await stored(insertBuilds(added), upsertCatalog(added.map(({ build_key }) => catalog(build_key))))
        const { builds, live } = await session.state.read('prod')
        for (const record of added) {
          const { build_key } = record
          expect(copyOf(builds.get(build_key), record)).toEqual(record)
          const wanted = catalog(build_key)
          expect(copyOf(live.get(build_key), wanted)).toEqual(wanted)
        }
      }
      expect((await session.state.builds()).size).toBe(250)
    })

    it('give back every record as it was', async () => {
      await session.state.initialise()
      const run = history('r1', { selector: odd, error: odd, assets: [asset('a', 'k1'), asset(odd, null)] })
      const builds = [
        build('k1', { asset: odd, children: { [odd]: child }, pins: ['k2', odd], sql: `SELECT '${odd}'` }),
        build('k2', { part: 'raw', rows: null, load_id: 'l', deploy_schema: 'marts' }),
      ]
      const test = testRecord('a', { message: odd, failures: 9007199254740991 })
      await stored(
        insertHistory(run),
        insertBuilds(builds),
        upsertCatalog([catalog('a'), catalog(odd)]),
        upsertViews([
          { environment: 'prod', asset: odd, view: { schema: 'analytics', name: odd }, readers: [odd] },
        ]),
        insertTestResults('prod', [test]),
        insertDefinitions([{ definition_hash: 'h', definition: odd }]),
        setLive('prod', 7, 'r1'),
      )
      const state = await session.state.read('prod')
      expect(state.generation).toBe(7)
      expect(state.history).toEqual([run])
      expect([...state.builds.values()]).toMatchObject(builds)
      expect(state.live.get(odd)).toMatchObject(catalog(odd))
      expect(state.views.get(odd)).toEqual({ schema: 'analytics', name: odd })
      expect([...state.readers]).toEqual([[odd, [odd]]])
      expect([...state.tests]).toMatchObject([[`a\n${test.name}`, test]])
      expect(await session.state.definitions(['h', 'unknown'])).toEqual(new Map([['h', odd]]))
      expect(await session.state.definitions([])).toEqual(new Map())
    })

    it('hold text that is no text', async () => {
      await session.state.initialise()
      const broken = 'half \ud83d pair, \\ud800 written, nul \0, separator \u001e'
      const whole = `half \ufffd pair, \\ud800 written, nul ${ground.engine.nul}, separator \u001e`
      const many = Array.from({ length: 20 }, (_, n) => build(`k${n}`, { sql: broken, pins: [broken] }))
      await stored(insertBuilds(many), insertBuild(build('alone', { pins: [broken] })))
      const { builds } = await session.state.read('prod')
      expect(builds.get('k7')).toMatchObject({ sql: whole, pins: [whole] })
      // JSON may keep what a text cannot hold.
      expect([whole, broken.replace('\ud83d', '\ufffd')]).toContain(builds.get('alone')?.pins[0])
    })

    it('take records by the thousand', async () => {
      await session.state.initialise()
      const builds = Array.from({ length: 1234 }, (_, n) => build(`k${n}`))
      await stored(insertBuilds(builds))
      expect((await session.state.read('prod')).builds.size).toBe(1234)
      await stored(deleteBuilds(builds.slice(0, 1000).map(({ build_key }) => build_key)))
      expect((await session.state.builds()).size).toBe(234)
    })

    it('need no statement for nothing', () => {
      expect([
        insertBuilds([]),
        deleteBuilds([]),
        upsertCatalog([]),
        deleteCatalog('prod', []),
        upsertViews([]),
        deleteViews('prod', []),
        insertTestResults('prod', []),
        insertDefinitions([]),
      ]).toEqual(Array.from({ length: 8 }, () => []))
    })

    it('keep environments apart, but share builds', async () => {
      await session.state.initialise()
      await stored(
        insertHistory(history('r1')),
        insertHistory(history('r2', { environment: 'dev' })),
        upsertCatalog([catalog('a'), catalog('a', { environment: 'dev', build_key: 'dev-key' })]),
        upsertViews([
          { environment: 'prod', asset: 'a', view: { schema: 'analytics', name: 'a' }, readers: [] },
          { environment: 'dev', asset: 'a', view: { schema: 'analytics_dev', name: 'a' }, readers: [] },
        ]),
        insertBuild(build('k1')),
      )
      const dev = await session.state.read('dev')
      expect(dev.generation).toBe(0)
      expect(dev.history.map(run => run.run_id)).toEqual(['r2'])
      expect(dev.live.get('a')?.build_key).toBe('dev-key')
      expect(dev.views.get('a')?.schema).toBe('analytics_dev')
      expect(dev.builds.has('k1')).toBe(true)
      await stored(deleteCatalog('dev', ['a']), deleteViews('dev', ['a']))
      expect((await session.state.read('dev')).live.size).toBe(0)
      expect((await session.state.read('prod')).live.size).toBe(1)
      expect((await session.state.read('prod')).views.size).toBe(1)
    })

    it('know a test result of another environment until the own one is there', async () => {
      await session.state.initialise()
      const keyOf = async (environment: string) =>
        (await session.state.read(environment)).tests.get('a\nnot_null_id')?.input_key
      await stored(insertTestResults('prod', [testRecord('a', { input_key: 'of prod' })]))
      expect(await keyOf('dev')).toBe('of prod')
      await stored(insertTestResults('dev', [testRecord('a', { input_key: 'of dev', ran_at: at(1) })]))
      expect(await keyOf('dev')).toBe('of dev')
      expect(await keyOf('prod')).toBe('of prod')
      expect(await keyOf('ci')).toBe('of dev')
      await stored(insertTestResults('prod', [testRecord('a', { input_key: 'again' })]))
      expect(await keyOf('prod')).toBe('again')
      await stored(forgetEnvironment('prod'))
      expect(await keyOf('prod')).toBe('of dev')
    })

    it('replace a catalogue whole or in part', async () => {
      await session.state.initialise()
      await stored(upsertCatalog([catalog('a'), catalog('b'), catalog('c', { environment: 'dev' })]))
      await stored(upsertCatalog([catalog('b', { build_key: 'new' })]))
      const before = (await session.state.read('prod')).live
      expect([...before.values()].map(({ asset, build_key }) => `${asset} ${build_key}`).sort()).toEqual([
        'a key of a',
        'b new',
      ])
      await stored(deleteCatalog('prod', ['a', 'b']), upsertCatalog([catalog('d')]))
      expect([...(await session.state.read('prod')).live.keys()]).toEqual(['d'])
      expect([...(await session.state.read('dev')).live.keys()]).toEqual(['c'])
    })

    it('finish a run in place', async () => {
      await session.state.initialise()
      const running = history('r1', { status: 'running', finished_at: null, generation: null })
      await stored(insertHistory(running), insertHistory({ ...running, environment: 'dev' }))
      expect((await session.state.read('prod')).history).toEqual([running])
      const done = history('r1', { assets: [asset('a', 'k')], finished_at: at(9) })
      await stored(finishHistory(done))
      expect((await session.state.read('prod')).history).toEqual([done])
      expect((await session.state.read('dev')).history[0]?.status).toBe('running')
    })

    it('show the newest runs first, and old ones only while they run', async () => {
      await session.state.initialise()
      const runs = Array.from({ length: 30 }, (_, n) =>
        history(`r${String(n).padStart(2, '0')}`, { started_at: at(n) }),
      )
      const forgotten = history('r-old', { started_at: '2020-01-01T00:00:00.000Z', status: 'running' })
      await stored(...[...runs, forgotten].map(run => insertHistory(run)))
      const ids = (all: readonly { run_id: string }[]) => all.map(({ run_id }) => run_id)
      const newest = ids(runs).reverse()
      expect(ids((await session.state.read('prod')).history)).toEqual([...newest.slice(0, 10), 'r-old'])
      expect(ids((await session.state.read('prod', { historyLimit: 2 })).history)).toEqual([
        'r29',
        'r28',
        'r-old',
      ])
      await stored(insertHistory(history('x1', { environment: 'dev', started_at: at(40) })))
      expect(ids(await session.state.history(undefined, 1))).toEqual(['x1', 'r29', 'r-old'])
      expect(ids(await session.state.runs())).toEqual(['x1', ...newest, 'r-old'])
      expect((await session.state.runs())[0]).not.toHaveProperty('assets')
    })

    it('give the maps of runs', async () => {
      await session.state.initialise()
      await stored(
        insertHistory(history('r1', { assets: [asset('a', 'k1'), asset('failed', null)] })),
        insertHistory(history('r2', { assets: [asset('a', 'k2')] })),
      )
      expect(await readRunMaps(session.state, ['r1', 'r2', 'none'])).toEqual(
        new Map([
          ['r1', new Map([['a', 'k1']])],
          ['r2', new Map([['a', 'k2']])],
        ]),
      )
      expect(await readRunMaps(session.state, [])).toEqual(new Map())
    })

    it('count the newest of two builds with one key', async () => {
      await session.state.initialise()
      const newer = build('k', { created_at: at(5), relation: { schema: 'svc_g_2', name: 'a' } })
      await stored(insertBuild(newer), insertBuild(build('k')))
      expect((await session.state.read('prod')).builds.get('k')?.relation.schema).toBe('svc_g_2')
      expect((await session.state.builds()).get('k')?.relation.schema).toBe('svc_g_2')
    })

    it('read as nothing where nobody has written any', async () => {
      const { state } = session
      expect(await state.read('prod')).toEqual(emptyState('prod'))
      expect(await state.history(undefined, 3)).toEqual([])
      expect(await state.runs()).toEqual([])
      expect(await state.builds()).toEqual(new Map())
      expect(await state.drift()).toEqual([])
      expect(await state.rejects({}, 3)).toEqual({ rejects: [], total: 0 })
      expect(await state.otherProjects()).toEqual([])
      expect((await state.liveDefinitions('prod'))('d')).toBeUndefined()
    })

    it('keep what contracts left out, digit by digit, until it is replayed or dropped', async () => {
      await session.state.initialise()
      const { state } = session
      const raw = '{"n":12345678901234567890.10}'
      await stored(
        insertRejects([
          reject('a', 1, { raw }),
          reject('a', 2, { load_key: null, status: 'refused' }),
          reject('b', 3, { run_id: 'r2', load_key: 'load b' }),
        ]),
      )
      const { rejects, total } = await state.rejects({}, 2)
      expect(total).toBe(3)
      expect(rejects.map(({ asset, record_number }) => `${asset} ${record_number}`)).toEqual(['a 1', 'a 2'])
      expect(rejects[0]).toMatchObject({ raw, rejected_at: at(3), child: null, replayed_run_id: null })
      expect((await state.rejects({ runId: 'r2' }, 9)).total).toBe(1)
      expect((await state.rejects({ asset: 'a' }, 9)).total).toBe(2)
      const current = { loadKeys: ['load b'], environment: 'prod' }
      expect((await state.rejects({ current }, 9)).rejects.map(each => each.record_number)).toEqual([2, 3])
      const open = (exceptLoads: string[], environment = 'prod', liveLoads: string[] = []) =>
        state.openRejects({ environment, assets: ['a', 'b'], liveLoads, exceptLoads, limit: 9 })
      expect(await open(['load b'])).toEqual([{ asset: 'a', record_hash: 'hash 1' }])
      const replayed = ['hash 1', 'unknown']
      await stored(replayRejects({ environment: 'dev', asset: 'a', runId: 'r3' }, replayed))
      expect(await open([])).toHaveLength(2)
      await stored(replayRejects({ environment: 'prod', asset: 'a', runId: 'r3' }, replayed))
      expect(await open([])).toEqual([{ asset: 'b', record_hash: 'hash 3' }])
      expect(await open([], 'dev')).toEqual([])
      expect(await open([], 'dev', ['load b'])).toEqual([{ asset: 'b', record_hash: 'hash 3' }])
      expect((await state.rejects({ asset: 'a' }, 1)).rejects[0]?.replayed_run_id).toBe('r3')
      await stored(deleteRefused('prod', ['a']), deleteRejects(['load b']))
      expect((await state.rejects({}, 9)).rejects.map(each => each.record_number)).toEqual([1])
    })

    it('keep drift with its load', async () => {
      await session.state.initialise()
      const changes = [
        { kind: 'vanished', child: undefined, column: 'city', from: 'VARCHAR', page: 3 },
      ] as const
      const record = { load_key: 'raw-1', asset: 'orders', changes }
      await stored([...insertDrift(record), ...insertDrift(record)])
      expect(await session.state.drift()).toEqual([record])
      await stored(deleteDrift(['raw-1']))
      expect(await session.state.drift()).toEqual([])
    })

    it('keep the files of a load with it', async () => {
      await session.state.initialise()
      const files = [
        { name: 'a ü.csv', size: 12, stamp: '"etag"', hash: 'h1' },
        { name: 'b.csv', size: null, stamp: null, hash: 'h2' },
      ]
      const record = { load_key: 'raw-1', asset: 'orders', files }
      await stored([...insertLoadedFiles(record), ...insertLoadedFiles(record)])
      expect(await session.state.loadedFiles('raw-1')).toEqual(files)
      expect(await session.state.loadedFiles('raw-2')).toBeUndefined()
      await stored(deleteLoadedFiles(['raw-1']))
      expect(await session.state.loadedFiles('raw-1')).toBeUndefined()
    })

    it('keep the lineage and the marks of personal data of a build as long as the build', async () => {
      await session.state.initialise()
      const { state } = session
      const columns = [{ column: 'mail', from: [{ asset: 'a', column: 'e', source: '' }], hidden: [] }]
      const lineage = { columns, complete: false }
      const marks = { columns: { mail: true, letter: false }, source: ['e'] }
      const record = { environment: 'prod', build_key: 'k', asset: 'a', marks }
      expect(await state.marks()).toEqual([])
      await stored(
        insertLineage([{ build_key: 'k', asset: 'a', lineage }]),
        replaceMarks([record, { ...record, environment: 'dev' }]),
        replaceMarks([{ ...record, environment: 'dev', marks: { columns: {}, source: [] } }]),
      )
      expect(await state.lineage(['k', 'other'])).toEqual(new Map([['k', lineage]]))
      expect(await state.lineage([])).toEqual(new Map())
      expect(await state.lineageKeys()).toEqual(new Set())
      await stored(insertLineage([{ build_key: 'k', asset: 'a', lineage: { columns, complete: true } }]))
      expect(await state.lineage(['k'])).toEqual(new Map([['k', { columns, complete: true }]]))
      expect(await state.lineageKeys()).toEqual(new Set(['k']))
      expect((await state.marks()).toSorted((a, b) => (a.environment < b.environment ? -1 : 1))).toEqual([
        { ...record, environment: 'dev', marks: { columns: {}, source: [] } },
        record,
      ])
      await stored(forgetEnvironment('dev'))
      expect(await state.marks()).toEqual([record])
      await stored(deleteBuilds(['k']))
      expect([await state.marks(), await state.lineageKeys()]).toEqual([[], new Set()])
    })

    it('are counted before they are dropped', async () => {
      await session.state.initialise()
      await stored(
        insertTestResults('prod', [testRecord('live'), testRecord('filed'), testRecord('gone')]),
        upsertCatalog([catalog('live', { definition_hash: 'of live' })]),
        insertBuild(build('k', { definition_hash: 'of build' })),
        insertDefinitions(
          ['of live', 'of build', 'of nothing'].map(hash => ({ definition_hash: hash, definition: hash })),
        ),
      )
      expect(await session.state.count(deleteUnused(['filed']))).toBe(2)
      await stored(deleteUnused(['filed']))
      expect(await session.state.count(deleteUnused(['filed']))).toBe(0)
      expect(
        [...(await session.state.read('prod')).tests.values()].map(({ asset: name }) => name).sort(),
      ).toEqual(['filed', 'live'])
      expect(
        [...(await session.state.definitions(['of live', 'of build', 'of nothing'])).keys()].sort(),
      ).toEqual(['of build', 'of live'])
      expect((await session.state.liveDefinitions('prod'))('of live')).toBe('of live')
    })

    it('shorten the lists of old runs', async () => {
      await session.state.initialise()
      const long = Array.from({ length: 50 }, (_, n) => asset(`a${n}`, `k${n}`))
      await stored(insertHistory(history('r1', { assets: long })), insertHistory(history('r2')))
      expect(await session.state.longRuns(['r1', 'r2'], 100)).toEqual(new Set(['r1']))
      await stored(replaceAssets('r1', [asset('', null), ...long]))
      expect(await session.state.longRuns(['r1', 'r2'], 100)).toEqual(new Set())
      expect((await session.state.runAssets(['r1'])).get('r1')).toHaveLength(51)
    })

    it('forget an environment, but no builds', async () => {
      await session.state.initialise()
      const view = { schema: 'analytics_dev', name: 'a' }
      await stored(
        insertHistory(history('r1', { environment: 'dev' })),
        upsertCatalog([catalog('a', { environment: 'dev' })]),
        upsertViews([{ environment: 'dev', asset: 'a', view, readers: [] }]),
        insertTestResults('dev', [testRecord('a')]),
        setLive('dev', 3, 'r1'),
        insertBuild(build('k')),
      )
      expect([...(await session.state.read('dev')).views]).toEqual([['a', view]])
      expect(await session.state.liveKeys()).toEqual([{ environment: 'dev', build_key: 'key of a' }])
      await stored(forgetEnvironment('dev'))
      expect(await session.state.read('dev')).toMatchObject({ generation: 0, history: [], views: new Map() })
      expect(await session.state.liveKeys()).toEqual([])
      expect([...(await session.state.builds()).keys()]).toEqual(['k'])
    })

    it('are stored all or none', async () => {
      await session.state.initialise()
      const nowhere = { kind: 'insert', table: 'svc_nowhere' as OwnedTable, rows: [{ n: 1 }] } as const
      await expect(stored(insertBuild(build('k')), [nowhere])).rejects.toThrow('svc_nowhere')
      expect((await session.state.builds()).size).toBe(0)
    })

    it('of one project are nothing to another one', async () => {
      const other = await ground.write('other')
      await session.state.initialise()
      await other.state.initialise()
      const view = { schema: 'analytics', name: 'a' }
      await stored(
        insertHistory(history('r1', { assets: [asset('a', 'k')] })),
        insertBuild(build('k')),
        upsertCatalog([catalog('a')]),
        upsertViews([{ environment: 'prod', asset: 'a', view, readers: [] }]),
        insertTestResults('prod', [testRecord('a')]),
        insertDefinitions([{ definition_hash: 'd', definition: 'of shop' }]),
        insertRejects([reject('a', 1)]),
        setLive('prod', 4, 'r1'),
      )
      await other.state.commit([
        ...insertDefinitions([{ definition_hash: 'd', definition: 'of other' }]),
        ...setLive('prod', 9, 'x1'),
      ])
      expect(await other.state.read('prod')).toMatchObject({ ...emptyState('prod'), generation: 9 })
      expect(await other.state.runs()).toEqual([])
      expect((await other.state.rejects({}, 9)).total).toBe(0)
      expect(await other.state.definitions(['d'])).toEqual(new Map([['d', 'of other']]))
      expect(await other.state.otherProjects()).toEqual(['shop'])
      expect(await other.state.recordedViews()).toEqual([{ owner: 'shop', environment: 'prod', view }])
      expect(await session.state.recordedViews()).toEqual([{ owner: null, environment: 'prod', view }])
      expect(await session.state.isOwnView(view)).toBe(true)
      expect(await other.state.isOwnView(view)).toBe(false)
      expect(await other.state.ofOthers()).toEqual({ runIds: ['r1'], schemas: ['svc_g_1'] })
      await other.state.commit([
        ...forgetEnvironment('prod'),
        ...deleteBuilds(['k']),
        ...deleteUnused([]),
        ...deleteRejects(['load a']),
        ...replaceAssets('r1', []),
        ...finishHistory(history('r1', { error: 'by another' })),
      ])
      const state = await session.state.read('prod')
      expect(state).toMatchObject({ generation: 4, history: [{ error: null, assets: [{ name: 'a' }] }] })
      expect([state.builds.size, state.live.size, state.tests.size, state.views.size]).toEqual([1, 1, 1, 1])
      expect(await session.state.definitions(['d'])).toEqual(new Map([['d', 'of shop']]))
      expect((await session.state.rejects({}, 9)).total).toBe(1)
    })

    it('can be taken over, whole', async () => {
      const renamed = await ground.write('renamed')
      await session.state.initialise()
      await stored(insertHistory(history('r1')), insertBuild(build('k')), setLive('prod', 4, 'r1'))
      await renamed.state.adopt('shop')
      expect(await renamed.state.read('prod')).toMatchObject({ generation: 4, history: [{ run_id: 'r1' }] })
      expect(await session.state.read('prod')).toEqual(emptyState('prod'))
      expect(await renamed.state.otherProjects()).toEqual([])
    })
  })
}

function reject(name: string, record_number: number, parts: Row = {}): Row {
  return {
    environment: 'prod',
    run_id: 'r1',
    asset: name,
    load_key: `load ${name}`,
    load_id: 'l',
    status: 'rejected',
    record_number,
    kind: 'row',
    code: 'null',
    child: null,
    column_name: 'id',
    message: 'no id',
    raw: '{}',
    record_hash: `hash ${record_number}`,
    rejected_at: at(3),
    replayed_run_id: null,
    ...parts,
  }
}
