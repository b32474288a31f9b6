/**
 * What every warehouse adapter must do (warehouse.ts). Each adapter's test calls `describeWarehouse`; nothing here may
 * depend on which engine it is, so that the next one runs it as it is.
 */
import { hostname } from 'node:os'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SvcError } from '../../../cli/engine/errors.ts'
import { openWarehouse } from '../../../cli/engine/warehouse/open.ts'
import type {
  BuildOutcome,
  BuildTask,
  LeaseHolder,
  Statement,
  Warehouse,
  WarehouseSession,
} from '../../../cli/engine/warehouse/warehouse.ts'
import { type Child, startChild } from './child-process.ts'
import { change, greenOf, greensSeen, liveGeneration, makeGreens, promote, viewCount } from './generations.ts'

/** A warehouse of its own for one test. */
export interface TestWarehouse {
  readonly url: string
  readonly root: string
  /** Part of `url` that must never be shown. */
  readonly secret?: string
  remove(): Promise<void>
}

const oddNames = [
  'select',
  'Two Words',
  'qu"ote',
  "apo'strophe",
  'émoji 🦆',
  'semi;colon',
  '--',
  'a.b',
  '%s $1 ?',
]

/** Takes a second or more on any engine, and no file or extension. */
const slowSql =
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000000) SELECT max(i) AS m FROM n'

export function describeWarehouse(name: string, makeUrl: () => Promise<TestWarehouse>): void {
  describe(`${name} warehouse`, () => {
    let place: TestWarehouse
    let warehouse: Warehouse
    const open: WarehouseSession[] = []
    const children: Child[] = []

    beforeEach(async () => {
      place = await makeUrl()
      warehouse = await openWarehouse(place.url, { root: place.root })
    })

    afterEach(async () => {
      for (const session of open.splice(0)) await session.close()
      for (const child of children.splice(0)) await child.kill()
      await place.remove()
    })

    async function write(): Promise<WarehouseSession> {
      const session = await warehouse.open('write')
      open.push(session)
      return session
    }

    function child(action: string, ...rest: string[]): Child {
      const started = startChild([action, place.url, place.root, ...rest])
      children.push(started)
      return started
    }

    describe('sessions', () => {
      it('reads only what exists', async () => {
        expect(await warehouse.open('read')).toBeUndefined()
        await (await write()).close()
        const reader = await warehouse.open('read')
        expect(await reader?.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
        await reader?.close()
      })

      it('shows its kind and no secret', () => {
        expect(warehouse.label).toContain(warehouse.shortLabel)
        expect(warehouse.label).not.toContain(place.secret ?? 'no secret here')
      })

      it('keeps what was written after the last session is closed, twice too', async () => {
        const first = await write()
        await first.execute(['CREATE TABLE kept AS SELECT 7 AS n'])
        await first.close()
        await first.close()
        expect(await (await write()).query('SELECT n FROM kept')).toEqual([{ n: 7 }])
      })

      it('shows one session what another of the same process committed', async () => {
        const [a, b] = [await write(), await write()]
        await a.execute(['CREATE TABLE shared AS SELECT 1 AS n'])
        await a.close()
        await b.transaction([{ sql: 'INSERT INTO shared VALUES (2)' }])
        const reader = await warehouse.open('read')
        expect(await reader?.query('SELECT sum(n) AS n FROM shared')).toEqual([{ n: 3 }])
        await reader?.close()
      })

      it('refuses work on a closed session', async () => {
        const session = await write()
        await session.close()
        await expect(session.query('SELECT 1')).rejects.toThrow('closed')
      })
    })

    describe('statements', () => {
      it('binds parameters of every kind, exactly', async () => {
        const session = await write()
        const { dialect } = session
        const text = 'it\'s; -- a "text" 🦆\n$1'
        const [row] = await session.query(
          `SELECT ${[1, 2, 3, 4, 5, 6].map(n => `${dialect.parameter(n)} AS p${n}`).join(', ')}`,
          [text, 42, 9007199254740993n, 0.1, true, null],
        )
        expect(row).toEqual({ p1: text, p2: 42, p3: '9007199254740993', p4: 0.1, p5: true, p6: null })
      })

      it('reads literals as what they were', async () => {
        const session = await write()
        const values = [
          "it's",
          'a\\b',
          'line\nbreak',
          '',
          '🦆',
          '--x',
          1,
          -2.5,
          1e300,
          true,
          false,
          null,
          2n ** 60n,
        ]
        const list = values.map((value, index) => `${session.dialect.literal(value)} AS c${index}`)
        const [row] = await session.query(`SELECT ${list.join(', ')}`)
        const read = values.map((_, index) => row?.[`c${index}`])
        expect(read.map(String)).toEqual(values.map(String))
        expect(read[8]).toBe(1e300)
      })

      it('runs many queries at once', async () => {
        const session = await write()
        const answers = await Promise.all(
          Array.from({ length: 40 }, (_, n) => session.query<{ n: number }>(`SELECT ${n} AS n`)),
        )
        expect(answers.map(rows => rows[0]?.n)).toEqual(Array.from({ length: 40 }, (_, n) => n))
      })

      it('executes in order and keeps what came before a failure', async () => {
        const session = await write()
        await session.execute([
          'CREATE TABLE t (n INTEGER)',
          'INSERT INTO t VALUES (1) -- a comment',
          'INSERT INTO t VALUES (2)',
        ])
        const failing = session.execute(['INSERT INTO t VALUES (3)', 'INSERT INTO nowhere VALUES (1)'])
        await expect(failing).rejects.toMatchObject({ name: 'SvcError', code: 'warehouse-failed' })
        expect(await session.query('SELECT count(*) AS n FROM t')).toEqual([{ n: 3 }])
      })

      it('stores a transaction whole', async () => {
        const session = await write()
        const first = session.dialect.parameter(1)
        await session.execute(['CREATE TABLE t (n INTEGER, s VARCHAR(20))'])
        await session.transaction([
          { sql: "INSERT INTO t VALUES (1, 'a')" },
          { sql: `INSERT INTO t VALUES (2, ${first})`, parameters: ["b'c"] },
          { sql: "INSERT INTO t VALUES (3, 'd')" },
        ])
        expect(await session.query('SELECT n, s FROM t ORDER BY n')).toEqual([
          { n: 1, s: 'a' },
          { n: 2, s: "b'c" },
          { n: 3, s: 'd' },
        ])
      })

      /** The trap: after an error inside a transaction, COMMIT may answer well and store nothing. */
      it.each<[string, Statement]>([
        ['that cannot be bound', { sql: 'INSERT INTO nowhere VALUES (1)' }],
        [
          'that fails on its data',
          { sql: "INSERT INTO t SELECT CAST(s AS INTEGER) FROM (VALUES ('1'), ('x')) v(s)" },
        ],
        ['that is no SQL', { sql: 'INSERT INTO' }],
      ])('stores nothing of a transaction with a statement %s', async (_, bad) => {
        const session = await write()
        await session.execute(['CREATE TABLE t (n INTEGER)', 'INSERT INTO t VALUES (0)'])
        const statements = [{ sql: 'INSERT INTO t VALUES (1)' }, bad, { sql: 'INSERT INTO t VALUES (2)' }]
        await expect(session.transaction(statements)).rejects.toBeInstanceOf(SvcError)
        expect(await session.query('SELECT n FROM t')).toEqual([{ n: 0 }])
        await session.transaction([{ sql: 'INSERT INTO t VALUES (3)' }])
        expect(await session.query('SELECT count(*) AS n FROM t')).toEqual([{ n: 2 }])
      })

      it('interrupts what runs, and goes on afterwards', async () => {
        const session = await write()
        const controller = new AbortController()
        const slow = session.query(slowSql, [], controller.signal)
        const inTransaction = session.transaction(
          [{ sql: 'CREATE TABLE half AS SELECT 1 AS n' }, { sql: `CREATE TABLE t AS ${slowSql}` }],
          controller.signal,
        )
        const stop = setTimeout(() => controller.abort(), 50)
        await expect(slow).rejects.toMatchObject({ code: 'interrupted' })
        await expect(inTransaction).rejects.toMatchObject({ code: 'interrupted' })
        clearTimeout(stop)
        expect(await session.query('SELECT 1 AS n')).toEqual([{ n: 1 }])
        await expect(session.query('SELECT * FROM half')).rejects.toThrow('half')
        await expect(session.query('SELECT 1', [], controller.signal)).rejects.toMatchObject({
          code: 'interrupted',
        })
      })
    })

    describe('relations', () => {
      it('describes a query without running it', async () => {
        const session = await write()
        await session.execute(['CREATE TABLE t (id INTEGER, "Two Words" VARCHAR)'])
        const columns = await session.describe('SELECT "Two Words", id FROM t WHERE id = 1 -- comment')
        expect(columns.map(column => column.name)).toEqual(['Two Words', 'id'])
        expect(columns.every(column => typeof column.type === 'string')).toBe(true)
        await expect(session.describe('SELECT nothing FROM t')).rejects.toThrow('nothing')
      })

      it('lists relations, columns and schemas, under any name', async () => {
        const session = await write()
        const { dialect } = session
        for (const schema of oddNames) {
          await session.createSchema(schema)
          await session.createSchema(schema)
          const table = dialect.relation({ schema, name: `t ${schema}` })
          const view = dialect.relation({ schema, name: `v ${schema}` })
          const column = dialect.identifier(schema)
          await session.execute([
            `CREATE TABLE ${table} AS SELECT 1 AS ${column}, 'x' AS b`,
            `CREATE VIEW ${view} AS SELECT ${column} FROM ${table}`,
          ])
          expect(await session.relations(schema)).toEqual([
            { name: `t ${schema}`, kind: 'table' },
            { name: `v ${schema}`, kind: 'view' },
          ])
        }
        const wanted = oddNames.map(schema => ({ schema, name: `t ${schema}` }))
        const columns = await session.columns([...wanted, { schema: 'select', name: 'missing' }])
        expect(columns.size).toBe(oddNames.length)
        for (const schema of oddNames) {
          expect(columns.get(`${schema}.t ${schema}`)?.map(column => column.name)).toEqual([schema, 'b'])
        }
        expect(await session.columns([])).toEqual(new Map())
        expect(await session.schemas('se')).toEqual(['select', 'semi;colon'])
        expect(await session.schemas('%')).toEqual(['%s $1 ?'])
      })

      it('drops a schema with what is in it, and nothing outside', async () => {
        const session = await write()
        await session.createSchema('green')
        await session.createSchema('other')
        await session.execute([
          'CREATE TABLE green.t AS SELECT 1 AS n',
          'CREATE VIEW green.v AS SELECT n FROM green.t',
          'CREATE TABLE other.t AS SELECT 2 AS n',
          'CREATE SEQUENCE green.s',
          "CREATE TABLE other.u (n INTEGER DEFAULT nextval('green.s'))",
        ])
        await expect(session.dropSchema('green')).rejects.toBeInstanceOf(SvcError)
        expect(await session.relations('green')).toHaveLength(2)
        await session.execute(['DROP TABLE other.u', 'DROP SEQUENCE green.s'])
        await session.dropSchema('green')
        await session.dropSchema('green')
        expect(await session.schemas('green')).toEqual([])
        expect(await session.query('SELECT n FROM other.t')).toEqual([{ n: 2 }])
      })

      it('drops single relations, also those already gone', async () => {
        const session = await write()
        await session.createSchema('green')
        await session.execute([
          'CREATE TABLE green.t AS SELECT 1 AS n',
          'CREATE TABLE green.u AS SELECT 1 AS n',
        ])
        await session.execute(['CREATE VIEW green.v AS SELECT n FROM green.u'])
        const gone = (kind: 'table' | 'view', name: string) => ({ relation: { schema: 'green', name }, kind })
        await session.dropRelations([gone('table', 't'), gone('view', 'v'), gone('table', 'never')])
        expect(await session.relations('green')).toEqual([{ name: 'u', kind: 'table' }])
      })
    })

    describe('builds', () => {
      let session: WarehouseSession
      let outcomes: Map<string, BuildOutcome>

      beforeEach(async () => {
        session = await write()
        outcomes = new Map()
        await session.createSchema('green')
        await session.execute(['CREATE TABLE records (id VARCHAR, n INTEGER)'])
      })

      function task(id: string, sql: string, kind: 'table' | 'view' = 'table'): BuildTask {
        return { id, target: { schema: 'green', name: id }, kind, sql }
      }

      async function build(
        tasks: readonly BuildTask[],
        options: Partial<Parameters<WarehouseSession['build']>[1]> = {},
      ): Promise<void> {
        await session.build(tasks, {
          concurrency: 2,
          record: ({ id }, { rows }) => [recordStatement(id, rows ?? -1)],
          onEnd: ({ id }, outcome) => {
            expect(outcomes.has(id)).toBe(false)
            outcomes.set(id, outcome)
          },
          next: () => [],
          ...options,
        })
      }

      function recordStatement(id: string, rows: number): Statement {
        return { sql: `INSERT INTO records VALUES (${session.dialect.literal(id)}, ${rows})` }
      }

      async function recorded(): Promise<unknown[]> {
        const rows = await session.query<{ id: string }>('SELECT id FROM records ORDER BY id')
        return rows.map(({ id }) => id)
      }

      async function present(): Promise<string[]> {
        return (await session.relations('green')).map(({ name }) => name)
      }

      it('makes tables, views and loads, with their rows and columns', async () => {
        const load: BuildTask = {
          id: 'raw',
          target: { schema: 'green', name: 'raw' },
          kind: 'load',
          sql: "SELECT * FROM (VALUES (1, 'a'), (2, 'b')) v(id, name)",
          columns: [
            { name: 'id', type: 'INTEGER' },
            { name: 'name', type: 'VARCHAR' },
          ],
        }
        await build([load], {
          next: ({ id }) =>
            id === 'raw'
              ? [
                  task('model', 'SELECT name, id * 2 AS twice FROM green.raw -- the end'),
                  task('look', 'SELECT id FROM green.raw', 'view'),
                ]
              : [],
        })
        const result = (id: string) => {
          const outcome = outcomes.get(id)
          return outcome?.ok ? outcome.result : undefined
        }
        expect(result('raw')?.rows).toBe(2)
        expect(result('raw')?.columns.map(column => column.name)).toEqual(['id', 'name'])
        expect(result('model')?.columns.map(column => column.name)).toEqual(['name', 'twice'])
        expect(result('look')?.rows).toBeUndefined()
        expect(result('look')?.columns).toHaveLength(1)
        expect(result('model')?.seconds).toBeGreaterThan(0)
        expect(await session.query('SELECT twice FROM green.model ORDER BY 1')).toEqual([
          { twice: 2 },
          { twice: 4 },
        ])
        expect(await recorded()).toEqual(['look', 'model', 'raw'])
      })

      it('lets a failing build stop nothing, and leaves no half of it', async () => {
        const good = Array.from({ length: 30 }, (_, n) => task(`good${n}`, `SELECT ${n} AS n`))
        const bad = [
          task('unbound', 'SELECT nothing FROM nowhere'),
          task('data', "SELECT CAST(s AS INTEGER) AS n FROM (VALUES ('1'), ('x')) v(s)"),
        ]
        await build([...good.slice(0, 10), ...bad, ...good.slice(10), task('raw', 'SELECT')])
        for (const { id } of good) expect(outcomes.get(id)).toMatchObject({ ok: true, result: { rows: 1 } })
        for (const id of ['unbound', 'data', 'raw']) {
          expect(outcomes.get(id)).toMatchObject({
            ok: false,
            error: { name: 'SvcError', code: 'build-failed' },
          })
        }
        const names = good.map(({ id }) => id).sort()
        expect(await recorded()).toEqual(names)
        expect((await present()).sort()).toEqual(names)
      })

      it('keeps no relation whose record cannot be stored', async () => {
        await build([task('a', 'SELECT 1 AS n'), task('b', 'SELECT 2 AS n'), task('c', 'SELECT 3 AS n')], {
          record: ({ id }) => [
            id === 'b' ? { sql: 'INSERT INTO nowhere VALUES (1)' } : recordStatement(id, 1),
          ],
        })
        expect(outcomes.get('b')).toMatchObject({ ok: false })
        expect(await present()).toEqual(['a', 'c'])
        expect(await recorded()).toEqual(['a', 'c'])
      })

      it('starts nothing before what it waits for', async () => {
        const ended = new Set<string>()
        const started: string[] = []
        await build(
          Array.from({ length: 20 }, (_, n) => task(`a${n}`, `SELECT ${n} AS n`)),
          {
            onStart: ({ id }) => {
              started.push(id)
              if (id.startsWith('b')) expect(ended.has(id.replace('b', 'a'))).toBe(true)
            },
            onEnd: ({ id }) => ended.add(id),
            next: ({ id }) =>
              id.startsWith('a') ? [task(id.replace('a', 'b'), `SELECT n FROM green.${id}`)] : [],
          },
        )
        expect(started).toHaveLength(40)
        expect(new Set(started).size).toBe(40)
        expect(ended.size).toBe(40)
      })

      it('commits small builds while a slow one is at work', async () => {
        const controller = new AbortController()
        const small = Array.from({ length: 40 }, (_, n) => task(`small${n}`, `SELECT ${n} AS n`))
        await build([...small.slice(0, 20), task('slow', slowSql), ...small.slice(20)], {
          concurrency: 1,
          signal: controller.signal,
          onEnd: ({ id }, outcome) => {
            outcomes.set(id, outcome)
            if (id === 'small19') setTimeout(() => controller.abort(), 100)
          },
        })
        for (const { id } of small.slice(0, 20)) expect(outcomes.get(id)).toMatchObject({ ok: true })
        expect(outcomes.get('slow')).toMatchObject({ ok: false, error: { code: 'interrupted' } })
        expect((await present()).includes('slow')).toBe(false)
        expect(await recorded()).toEqual(await present())
      })

      it('holds nothing back behind a slow build', async () => {
        const controller = new AbortController()
        const waiting = new Set(Array.from({ length: 60 }, (_, n) => `small${n}`))
        const next = ({ id }: BuildTask) => {
          const n = Number(id.slice('small'.length))
          return n < 30 ? [task(`small${n + 30}`, `SELECT n FROM green.${id}`)] : []
        }
        const first = Array.from({ length: 30 }, (_, n) => task(`small${n}`, `SELECT ${n} AS n`))
        await build([task('slow', slowSql), ...first], {
          signal: controller.signal,
          next,
          onEnd: ({ id }, outcome) => {
            outcomes.set(id, outcome)
            waiting.delete(id)
            if (waiting.size === 0) controller.abort()
          },
        })
        expect([...waiting]).toEqual([])
        expect(outcomes.get('slow')).toMatchObject({ error: { code: 'interrupted' } })
        expect(await recorded()).toHaveLength(60)
      })

      it('ends at once when it is interrupted', async () => {
        const controller = new AbortController()
        const tasks = ['s1', 's2', 's3', 's4'].map(id => task(id, slowSql))
        await build(tasks, {
          signal: controller.signal,
          onStart: () => {
            setTimeout(() => controller.abort(), 50)
          },
          next: () => [task('never', 'SELECT 1 AS n')],
        })
        expect(outcomes.size).toBeGreaterThan(0)
        for (const outcome of outcomes.values())
          expect(outcome).toMatchObject({ error: { code: 'interrupted' } })
        expect(outcomes.has('never')).toBe(false)
        expect(await present()).toEqual([])
        await build([task('after', 'SELECT 1 AS n')])
        expect(await present()).toEqual(['after'])
      })

      it('passes on a bug of a callback', async () => {
        const bug = () => {
          throw new TypeError('a bug')
        }
        await expect(build([task('a', 'SELECT 1 AS n')], { record: bug })).rejects.toThrow('a bug')
        await expect(build([task('b', 'SELECT 1 AS n')], { next: bug })).rejects.toThrow('a bug')
        expect(await present()).toEqual(['b'])
      })

      it('takes any name', async () => {
        await build(oddNames.map(id => task(id, `SELECT 1 AS ${session.dialect.identifier(id)}`)))
        for (const id of oddNames) {
          expect(outcomes.get(id)).toMatchObject({ ok: true, result: { rows: 1, columns: [{ name: id }] } })
        }
        expect((await present()).sort()).toEqual([...oddNames].sort())
      })

      it('builds a thousand in layers, tables and views mixed', async () => {
        const width = 50
        const id = (layer: number, n: number) => `m${layer}_${n}`
        const make = (layer: number, n: number): BuildTask =>
          task(
            id(layer, n),
            layer === 0 ? `SELECT ${n} AS n` : `SELECT n + 1 AS n FROM green.${id(layer - 1, n)}`,
            layer % 4 === 3 ? 'view' : 'table',
          )
        await build(
          Array.from({ length: width }, (_, n) => make(0, n)),
          {
            next: done => {
              const [layer = 0, n = 0] = done.id.slice(1).split('_').map(Number)
              return layer < 19 ? [make(layer + 1, n)] : []
            },
          },
        )
        expect(outcomes.size).toBe(1000)
        expect([...outcomes.values()].every(outcome => outcome.ok)).toBe(true)
        expect(await recorded()).toHaveLength(1000)
        const last = Array.from({ length: width }, (_, n) => `SELECT n FROM green.${id(19, n)}`)
        const [sum] = await session.query(
          `SELECT CAST(sum(n) AS INTEGER) AS n FROM (${last.join(' UNION ALL ')}) x`,
        )
        expect(sum).toEqual({ n: 19 * width + (width * (width - 1)) / 2 })
      })
    })

    describe('promotion', () => {
      it('moves views, state and generation together', async () => {
        const session = await write()
        await makeGreens(session)
        await promote(session, change(session, 0))
        expect(await liveGeneration(session)).toBe(1)
        expect(await greensSeen(session)).toEqual(['odd'])
        await promote(session, change(session, 1))
        expect(await greensSeen(session)).toEqual(['even'])
        expect(await session.query('SELECT run_id FROM svc.svc_state_history ORDER BY generation')).toEqual([
          { run_id: 'run1' },
          { run_id: 'run2' },
        ])
        expect(await session.promotion.recover('prod')).toBe('nothing')
      })

      it('shows exactly the given columns, of a table or of a query, with the description', async () => {
        const session = await write()
        await makeGreens(session)
        await session.createSchema('svc_g_x')
        await session.execute(['CREATE TABLE svc_g_x.t AS SELECT 1 AS a, 2 AS "Two Words", 3 AS "select"'])
        const target = { schema: 'svc_g_x', name: 't' }
        const columns = [
          { name: 'select', type: 'INTEGER' },
          { name: 'Two Words', type: 'INTEGER' },
        ]
        const views = [
          {
            view: { schema: 'odd "schema"', name: 'a.b' },
            target,
            columns,
            description: 'it\'s; a "view" 🦆',
          },
          {
            view: { schema: 'analytics', name: 'q' },
            target,
            query: 'SELECT a, "select" + 1 AS "select", 9 AS "Two Words" FROM svc_g_x.t -- end',
            columns,
            description: undefined,
          },
        ]
        await promote(session, change(session, 0, { views }))
        await session.execute(['ALTER TABLE svc_g_x.t ADD COLUMN later INTEGER'])
        expect(await session.query('SELECT * FROM "odd ""schema"""."a.b"')).toEqual([
          { select: 3, 'Two Words': 2 },
        ])
        expect(await session.query('SELECT * FROM analytics.q')).toEqual([{ select: 4, 'Two Words': 9 }])
      })

      it('drops views that are no longer wanted', async () => {
        const session = await write()
        await makeGreens(session)
        await promote(session, change(session, 0))
        const views = change(session, 1).views.slice(1)
        const drops = [
          { schema: 'analytics', name: 'v0' },
          { schema: 'analytics', name: 'never' },
        ]
        await promote(session, change(session, 1, { views, drops }))
        expect(await session.relations('analytics')).toHaveLength(viewCount - 1)
      })

      it('changes nothing when production has moved', async () => {
        const session = await write()
        await makeGreens(session)
        await promote(session, change(session, 0))
        for (const from of [0, 2]) {
          await expect(promote(session, change(session, from))).rejects.toMatchObject({
            code: 'promotion-stale',
          })
        }
        expect(await liveGeneration(session)).toBe(1)
        expect(await greensSeen(session)).toEqual(['odd'])
        expect(await session.query('SELECT count(*) AS n FROM svc.svc_state_history')).toEqual([{ n: 1 }])
      })

      it('keeps environments apart', async () => {
        const session = await write()
        await makeGreens(session)
        await promote(session, change(session, 0))
        const views = change(session, 1).views.map(({ view, ...rest }) => ({
          ...rest,
          view: { schema: 'analytics_dev', name: view.name },
        }))
        await promote(session, change(session, 0, { environment: 'dev', views, statements: [] }))
        expect(await liveGeneration(session)).toBe(1)
        expect(await greensSeen(session)).toEqual(['odd'])
      })

      it.each([
        ['a view that cannot be made', { schema: 'svc_g_even', name: 'missing' }, 'warehouse-failed'],
        ['a foreign table in the way', { schema: 'svc_g_even', name: 't1' }, 'foreign-object'],
      ])('changes nothing because of %s', async (_, target, code) => {
        const session = await write()
        await makeGreens(session)
        await promote(session, change(session, 0))
        await session.execute(['CREATE TABLE analytics.zz AS SELECT 1 AS mine'])
        const next = change(session, 1)
        const columns = [{ name: 'green', type: 'VARCHAR' }]
        const name = code === 'foreign-object' ? 'zz' : 'v_new'
        const bad = { view: { schema: 'analytics', name }, target, columns, description: undefined }
        await expect(promote(session, { ...next, views: [...next.views, bad] })).rejects.toMatchObject({
          code,
        })
        expect(await greensSeen(session)).toEqual(['odd'])
        expect(await liveGeneration(session)).toBe(1)
        expect(await session.query('SELECT mine FROM analytics.zz')).toEqual([{ mine: 1 }])
        expect(await session.query('SELECT count(*) AS n FROM svc.svc_state_history')).toEqual([{ n: 1 }])
      })

      it.each([0, 1])('lets exactly one of two promotions of generation %s at once win', async from => {
        const [a, b] = [await write(), await write()]
        await makeGreens(a)
        for (let generation = 0; generation < from; generation++) await promote(a, change(a, generation))
        const both = await Promise.allSettled([promote(a, change(a, from)), promote(b, change(b, from))])
        expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
        const lost = both.find(({ status }) => status === 'rejected')
        expect(lost).toMatchObject({ reason: { code: 'promotion-stale' } })
        expect(await a.query('SELECT generation FROM svc.svc_live')).toEqual([{ generation: from + 1 }])
        expect(await a.query('SELECT count(*) AS n FROM svc.svc_state_history')).toEqual([{ n: from + 1 }])
      })

      it('never shows a reader two generations at once', async () => {
        const writer = await write()
        await makeGreens(writer)
        await promote(writer, change(writer, 0))
        const reader = await write()
        let isDone = false
        let reads = 0
        const seen = new Set<string>()
        const reading = async () => {
          while (!isDone) {
            const greens = await greensSeen(reader)
            expect(greens).toHaveLength(1)
            seen.add(String(greens[0]))
            reads += 1
          }
        }
        const promoting = async () => {
          for (let generation = 1; generation <= 40; generation++)
            await promote(writer, change(writer, generation))
          isDone = true
        }
        await Promise.all([reading(), promoting()])
        expect(seen).toEqual(new Set(['even', 'odd']))
        expect(reads).toBeGreaterThan(20)
      })
    })

    describe('killed processes', () => {
      it('leave production all old or all new, whenever they die', { timeout: 180_000 }, async () => {
        const first = await write()
        await makeGreens(first)
        await first.close()
        let last = 0
        for (let kill = 0; kill < 24; kill++) {
          const flipping = child('flip')
          expect(await flipping.line()).toMatch(/^flipped /)
          await new Promise(resolve => setTimeout(resolve, (kill * 7) % 50))
          await flipping.kill()
          const told = Number(flipping.lines.at(-1)?.slice('flipped '.length))
          const session = await write()
          const generation = await liveGeneration(session)
          expect(generation).toBeGreaterThanOrEqual(told)
          expect(generation).toBeLessThanOrEqual(told + 1)
          expect(generation).toBeGreaterThan(last)
          expect(await greensSeen(session)).toEqual([greenOf(generation)])
          const history = await session.query(
            'SELECT count(*) AS n, max(generation) AS g FROM svc.svc_state_history',
          )
          expect(history).toEqual([{ n: generation, g: generation }])
          await session.close()
          last = generation
        }
      })

      it('leave every build with its record, and no record without its build', {
        timeout: 180_000,
      }, async () => {
        const first = await write()
        await makeGreens(first)
        await first.close()
        for (let kill = 0; kill < 8; kill++) {
          const building = child('build')
          expect(await building.line()).toMatch(/^built /)
          await new Promise(resolve => setTimeout(resolve, kill * 13))
          await building.kill()
          const told = building.lines.map(line => line.slice('built '.length))
          const session = await write()
          const rows = await session.query<{ k: string }>('SELECT build_key AS k FROM svc.svc_builds')
          const recorded = rows.map(({ k }) => k)
          const present: string[] = []
          for (const schema of await session.schemas('svc_g_b')) {
            for (const { name } of await session.relations(schema)) present.push(`${schema}.${name}`)
          }
          expect(recorded.sort()).toEqual(present.sort())
          expect(told.filter(id => !recorded.includes(id))).toEqual([])
          await session.close()
        }
      })
    })

    describe('locks of other processes', () => {
      it('are waited for', async () => {
        await (await write()).close()
        const holding = child('hold', 'write')
        expect(await holding.line()).toBe('holding')
        const told: string[] = []
        const opening = warehouse.open('write', {
          onWait: holder => {
            told.push(holder)
            holding.say('go')
          },
        })
        const session = await opening
        open.push(session)
        expect(await session.query('SELECT 1 AS n')).toEqual([{ n: 1 }])
        expect(told.length).toBeLessThanOrEqual(1)
        expect(told.every(who => who.includes(String(holding.pid)))).toBe(true)
      })

      it('are free when a session is closed', async () => {
        const session = await write()
        await Promise.all([session.query('SELECT 1'), session.execute(['CREATE TABLE t AS SELECT 1 AS n'])])
        await session.close()
        const holding = child('hold', 'write')
        expect(await holding.line()).toBe('holding')
        holding.say('go')
        expect(await holding.line()).toBe('closed')
      })
    })

    describe('leases', () => {
      const holder = (runId: string): LeaseHolder => ({
        runId,
        command: 'run',
        user: 'ada',
        host: hostname(),
        pid: process.pid,
        since: '2026-01-02T03:04:05.000Z',
      })

      it('are held by one at a time, per environment', async () => {
        const lease = await warehouse.acquireLease('prod', holder('r1'))
        expect(lease.tookOverFrom).toBeUndefined()
        expect(await warehouse.leaseHolder('prod')).toEqual(holder('r1'))
        expect(await warehouse.leaseHolder('dev/ä')).toBeUndefined()
        const second = warehouse.acquireLease('prod', holder('r2'))
        await expect(second).rejects.toMatchObject({
          code: 'lease-held',
          message: expect.stringContaining('r1'),
        })
        const dev = await warehouse.acquireLease('dev/ä', holder('r3'))
        await lease.release()
        await lease.release()
        expect(await warehouse.leaseHolder('prod')).toBeUndefined()
        await (await warehouse.acquireLease('prod', holder('r4'))).release()
        await dev.release()
      })

      it('of a killed process are taken over', async () => {
        const dying = child('lease', 'dead-run')
        await dying.line()
        dying.say('go')
        expect(await dying.line()).toBe('won -')
        expect(await warehouse.leaseHolder('prod')).toMatchObject({ runId: 'dead-run', pid: dying.pid })
        await expect(warehouse.acquireLease('prod', holder('r1'))).rejects.toMatchObject({
          code: 'lease-held',
        })
        await dying.kill()
        expect(await warehouse.leaseHolder('prod')).toBeUndefined()
        const lease = await warehouse.acquireLease('prod', holder('r2'))
        expect(lease.tookOverFrom).toMatchObject({ runId: 'dead-run', pid: dying.pid })
        await lease.release()
      })

      it('go back when a process ends by itself', async () => {
        const ending = child('lease', 'r1')
        await ending.line()
        ending.say('go')
        await ending.line()
        ending.say('go')
        expect(await ending.line()).toBe('released')
        await ending.ended
        expect((await warehouse.acquireLease('prod', holder('r2'))).tookOverFrom).toBeUndefined()
      })

      it.each(['free', 'left by a dead process'])('are won by exactly one of many when %s', async state => {
        for (let round = 0; round < 3; round++) {
          if (state !== 'free') {
            const dying = child('lease', 'dead-run')
            await dying.line()
            dying.say('go')
            await dying.line()
            await dying.kill()
          }
          const racers = Array.from({ length: 6 }, (_, n) => child('lease', `r${n}`))
          await Promise.all(racers.map(racer => racer.line()))
          for (const racer of racers) racer.say('go')
          const ends = await Promise.all(racers.map(racer => racer.line()))
          expect(ends.filter(end => end.startsWith('won'))).toEqual([
            state === 'free' ? 'won -' : 'won dead-run',
          ])
          expect(ends.filter(end => end.startsWith('lost lease-held'))).toHaveLength(5)
          const winner = racers[ends.findIndex(end => end.startsWith('won'))]
          winner?.say('go')
          expect(await winner?.line()).toBe('released')
        }
      })
    })
  })
}
