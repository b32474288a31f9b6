/** Building relations with their records, of any adapter. */
import { beforeEach, describe, expect, it } from 'vitest'
import type {
  BuildOutcome,
  BuildTask,
  Statement,
  WarehouseSession,
} from '../../../../cli/engine/warehouse/warehouse.ts'
import { type BuildAll, buildAll } from '../build-all.ts'
import { type Ground, oddNames, slowSql } from './ground.ts'

export function describeBuilds(ground: Ground): void {
  describe('builds', () => {
    let session: WarehouseSession
    let outcomes: Map<string, BuildOutcome>

    beforeEach(async () => {
      session = await ground.write()
      outcomes = new Map()
      await session.createSchema('green')
      await session.execute(['CREATE TABLE records (id VARCHAR, n INTEGER)'])
    })

    function task(id: string, sql: string, kind: 'table' | 'view' = 'table'): BuildTask {
      return { id, target: { schema: 'green', name: id }, kind, sql }
    }

    async function build(tasks: readonly BuildTask[], options: Partial<BuildAll> = {}): Promise<void> {
      await buildAll(session, tasks, {
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

    it('makes one at a time where nothing else is offered', async () => {
      const { parallelBuilds } = session.capabilities
      expect(parallelBuilds).toBeGreaterThan(0)
      await session.build(task('alone', 'SELECT 1 AS n'), {
        record: ({ id }) => [recordStatement(id, 1)],
        onEnd: ({ id }, outcome) => outcomes.set(id, outcome),
      })
      expect(outcomes.get('alone')).toMatchObject({ ok: true, result: { rows: 1 } })
      expect(await recorded()).toEqual(['alone'])
    })

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

    it('adds rows beside a load in its transaction, or not at all', async () => {
      const load = (id: string, sql: string): BuildTask => ({
        id,
        target: { schema: 'green', name: id },
        kind: 'load',
        sql: 'SELECT 1 AS n',
        columns: [{ name: 'n', type: 'INTEGER' }],
        appends: [
          { target: { schema: 'main', name: 'records' }, columns: ['n', 'id'], sql },
          { target: { schema: 'main', name: 'records' }, columns: ['id'], sql: "SELECT 'second'" },
        ],
      })
      await build([load('good', "SELECT 7, 'beside'"), load('bad', "SELECT error('no'), 'never'")])
      expect(outcomes.get('good')).toMatchObject({ ok: true, result: { rows: 1 } })
      expect(outcomes.get('bad')).toMatchObject({ ok: false })
      expect(await recorded()).toEqual(['beside', 'good', 'second'])
      expect(await present()).toEqual(['good'])
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
        record: ({ id }) => [id === 'b' ? { sql: 'INSERT INTO nowhere VALUES (1)' } : recordStatement(id, 1)],
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
}
