/** Opening, querying, transactions and interrupts of any adapter. */
import { describe, expect, it } from 'vitest'
import { SvcError } from '../../../../cli/engine/errors.ts'
import type { Ground } from './ground.ts'

export function describeSessions(ground: Ground): void {
  describe('sessions', () => {
    it('reads only what exists', async () => {
      expect(await ground.warehouse.open('read')).toBeUndefined()
      await (await ground.write()).close()
      const reader = await ground.warehouse.open('read')
      expect(await reader?.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
      await reader?.close()
    })

    it('shows its kind and no secret', () => {
      expect(ground.warehouse.label).toContain(ground.warehouse.shortLabel)
      expect(ground.warehouse.label).not.toContain(ground.engine.secret ?? 'no secret here')
    })

    it('keeps what was written after the last session is closed, twice too', async () => {
      const first = await ground.write()
      await first.execute(['CREATE TABLE main.kept AS SELECT 7 AS n'])
      await first.close()
      await first.close()
      expect(await (await ground.write()).query('SELECT n FROM main.kept')).toEqual([{ n: 7 }])
    })

    it('shows one session what another of the same process committed', async () => {
      const [a, b] = [await ground.write(), await ground.write()]
      await a.execute(['CREATE TABLE main.shared AS SELECT 1 AS n'])
      await a.close()
      await b.transaction(['INSERT INTO main.shared VALUES (2)'])
      const reader = await ground.warehouse.open('read')
      expect(await reader?.query('SELECT sum(n) AS n FROM main.shared')).toEqual([{ n: 3 }])
      await reader?.close()
    })

    it('refuses work on a closed session', async () => {
      const session = await ground.write()
      await session.close()
      await expect(session.query('SELECT 1')).rejects.toThrow('closed')
    })
  })

  describe('a temporary table beside a piece of work', () => {
    const table = { name: '_svc_beside', sql: 'SELECT 1 AS n UNION ALL SELECT 2' }
    const sum = 'SELECT CAST(sum(n) AS INTEGER) AS n FROM _svc_beside'

    it('is seen by that work alone, whatever fails in it, and is gone afterwards', async () => {
      const session = await ground.write()
      const found = await session.beside(table, async query => {
        await expect(query('SELECT missing FROM _svc_beside')).rejects.toBeInstanceOf(SvcError)
        await expect(session.query(sum)).rejects.toBeInstanceOf(SvcError)
        return query(sum)
      })
      expect(found).toEqual([{ n: 3 }])
      await expect(session.query(sum)).rejects.toBeInstanceOf(SvcError)
    })

    it('is gone after work that throws, and may be made again', async () => {
      const session = await ground.write()
      await expect(session.beside(table, () => Promise.reject(new Error('mine')))).rejects.toThrow('mine')
      expect(await session.beside(table, query => query(sum))).toEqual([{ n: 3 }])
    })

    it('whose query fails is an error, and no work is begun', async () => {
      const session = await ground.write()
      const wrong = session.beside({ ...table, sql: 'SELECT nothing_like_it' }, async () => 'begun')
      await expect(wrong).rejects.toBeInstanceOf(SvcError)
    })
  })

  describe('statements', () => {
    it('reads literals as what they were', async () => {
      const session = await ground.write()
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
      const session = await ground.write()
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, n) => session.query<{ n: number }>(`SELECT ${n} AS n`)),
      )
      expect(answers.map(rows => rows[0]?.n)).toEqual(Array.from({ length: 40 }, (_, n) => n))
    })

    it('executes in order and keeps what came before a failure', async () => {
      const session = await ground.write()
      await session.execute([
        'CREATE TABLE main.t (n INTEGER)',
        'INSERT INTO main.t VALUES (1) -- a comment',
        'INSERT INTO main.t VALUES (2)',
      ])
      const failing = session.execute(['INSERT INTO main.t VALUES (3)', 'INSERT INTO nowhere VALUES (1)'])
      await expect(failing).rejects.toMatchObject({ name: 'SvcError', code: 'warehouse-failed' })
      expect(await session.query('SELECT count(*) AS n FROM main.t')).toEqual([{ n: 3 }])
    })

    it('stores a transaction whole', async () => {
      const session = await ground.write()
      const text = session.dialect.literal("b'c")
      await session.execute(['CREATE TABLE main.t (n INTEGER, s VARCHAR(20))'])
      await session.transaction([
        "INSERT INTO main.t VALUES (1, 'a')",
        `INSERT INTO main.t VALUES (2, ${text})`,
        "INSERT INTO main.t VALUES (3, 'd')",
      ])
      expect(await session.query('SELECT n, s FROM main.t ORDER BY n')).toEqual([
        { n: 1, s: 'a' },
        { n: 2, s: "b'c" },
        { n: 3, s: 'd' },
      ])
    })

    /** The trap: after an error inside a transaction, COMMIT may answer well and store nothing. */
    it.each([
      ['that cannot be bound', 'INSERT INTO nowhere VALUES (1)'],
      [
        'that fails on its data',
        "INSERT INTO main.t SELECT CAST(s AS INTEGER) FROM (VALUES ('1'), ('x')) v(s)",
      ],
      ['that is no SQL', 'INSERT INTO'],
    ])('stores nothing of a transaction with a statement %s', async (_, bad) => {
      const session = await ground.write()
      await session.execute(['CREATE TABLE main.t (n INTEGER)', 'INSERT INTO main.t VALUES (0)'])
      const statements = ['INSERT INTO main.t VALUES (1)', bad, 'INSERT INTO main.t VALUES (2)']
      await expect(session.transaction(statements)).rejects.toBeInstanceOf(SvcError)
      expect(await session.query('SELECT n FROM main.t')).toEqual([{ n: 0 }])
      await session.transaction(['INSERT INTO main.t VALUES (3)'])
      expect(await session.query('SELECT count(*) AS n FROM main.t')).toEqual([{ n: 2 }])
    })

    it('interrupts what runs, and goes on afterwards', async () => {
      const session = await ground.write()
      const controller = new AbortController()
      const slow = session.query(ground.engine.slowSql, controller.signal)
      const inTransaction = session.transaction(
        ['CREATE TABLE main.half AS SELECT 1 AS n', `CREATE TABLE main.t AS ${ground.engine.slowSql}`],
        controller.signal,
      )
      // Which of the two is heard first is left open.
      inTransaction.catch(() => undefined)
      const stop = setTimeout(() => controller.abort(), 50)
      await expect(slow).rejects.toMatchObject({ code: 'interrupted' })
      await expect(inTransaction).rejects.toMatchObject({ code: 'interrupted' })
      clearTimeout(stop)
      expect(await session.query('SELECT 1 AS n')).toEqual([{ n: 1 }])
      await expect(session.query('SELECT * FROM main.half')).rejects.toThrow('half')
      await expect(session.query('SELECT 1', controller.signal)).rejects.toMatchObject({
        code: 'interrupted',
      })
    })
  })
}
