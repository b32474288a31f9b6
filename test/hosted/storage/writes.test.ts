import { expect, it, vi } from 'vitest'
import { type AuditRow, auditHash, rowsOfTexts, type Tx } from '../../../hosted-api/storage/index.ts'
import { describeEngines, useHosted } from '../support/engines.ts'

describeEngines('writes to the store on $name', engine => {
  const hosted = useHosted(engine)
  const insert = (tx: Tx, key: string) => tx.all('insert into setting (key, value) values (?, ?)', [key, 'x'])
  const keys = async (prefix: string) => {
    const rows = await hosted.service.storage.reads.all(
      'select key from setting where key like ? order by key',
      [`${prefix}%`],
    )
    return rows.map(({ key }) => key)
  }
  const note = (tx: Tx, target: string) =>
    tx.record({ project: 1, action: 'test.write', target, actor: 'test', requestId: 'test' })

  it.each([
    ['mixed', () => false],
    ['side', () => true],
    ['both', (index: number) => index % 2 === 0],
  ])('one that fails is undone alone, whoever writes at the same time: %s', async (word, isIndependent) => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) =>
        hosted.service.storage.write(
          async tx => {
            await insert(tx, `${word}-${String(index).padStart(2, '0')}`)
            note(tx, `${word}:${index}`)
            if (index % 3 === 1) throw new Error(`wrong ${index}`)
            if (index % 3 === 2) tx.discard()
            return index
          },
          { isIndependent: isIndependent(index) },
        ),
      ),
    )
    const kept = Array.from({ length: 20 }, (_, index) => index * 3)
    expect(await keys(`${word}-`)).toEqual(kept.map(index => `${word}-${String(index).padStart(2, '0')}`))
    for (const [index, outcome] of outcomes.entries()) {
      if (index % 3 === 1)
        expect(outcome).toMatchObject({ status: 'rejected', reason: { message: `wrong ${index}` } })
      else expect(outcome).toEqual({ status: 'fulfilled', value: index })
    }
    const audited = await hosted.service.storage.reads.all(
      `select target from audit where target like '${word}:%'`,
    )
    expect(audited.map(({ target }) => target).sort()).toEqual(kept.map(index => `${word}:${index}`).sort())
  })

  it('what the database refuses has the same name everywhere, and undoes what went before it', async () => {
    const { storage } = hosted.service
    const twice = storage.write(async tx => {
      await insert(tx, 'twice-a')
      await insert(tx, 'twice-a')
    })
    await expect(twice).rejects.toMatchObject({ name: 'StorageError', kind: 'unique' })
    const orphan = storage.write(tx =>
      tx.all(
        `insert into asset (project_id, identifier, name, created_at, updated_at) values (999, 'a', 'a', 'now', 'now')`,
      ),
    )
    await expect(orphan).rejects.toMatchObject({ kind: 'reference' })
    expect(await keys('twice-')).toEqual([])
  })

  it('a transaction sees its own writes; others see them when it is done', async () => {
    const { storage } = hosted.service
    await storage.write(async tx => {
      await insert(tx, 'own-a')
      expect(await tx.first('select value from setting where key = ?', ['own-a'])).toEqual({ value: 'x' })
      expect(await keys('own-')).toEqual([])
    })
    expect(await keys('own-')).toEqual(['own-a'])
  })

  it.skipIf(engine.isPostgres)(
    'a long one lets short ones of others go first, and is done once',
    async () => {
      const { storage } = hosted.service
      const before = Number(await storage.revision(1))
      const [order, shorts] = [[] as string[], [] as Promise<unknown>[]]
      let runs = 0
      const long = storage.write(
        async tx => {
          const run = ++runs
          await insert(tx, 'long-a')
          if (run <= 2) {
            const short = storage.write(each => insert(each, `long-short-${run}`), { owner: 2 })
            shorts.push(short.then(() => order.push('short')))
          }
          await insert(tx, 'long-b')
          note(tx, 'long')
        },
        { isLong: true, owner: 1 },
      )
      await long.then(() => order.push('long'))
      await Promise.all(shorts)
      expect([order, runs]).toEqual([['short', 'short', 'long'], 3])
      expect(await keys('long-')).toEqual(['long-a', 'long-b', 'long-short-1', 'long-short-2'])
      expect(await storage.revision(1)).toBe(before + 1)
    },
  )

  it.skipIf(engine.isPostgres)('a long one ends, however many short ones come', async () => {
    const { storage } = hosted.service
    const shorts: Promise<unknown>[] = []
    let runs = 0
    const long = (prefix: string, owner: number) =>
      storage.write(
        async tx => {
          runs++
          shorts.push(storage.write(each => insert(each, `${prefix}-short-${runs}`), { owner }))
          await insert(tx, `${prefix}-a`)
        },
        { isLong: true, owner: 1 },
      )
    // Before its last tries it pauses, which nobody has to wait for here.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const pauses = setInterval(() => vi.advanceTimersByTime(10_000), 1)
    try {
      await long('flood', 2)
      expect(runs).toBe(8)
      // Its own token's do not hold it up.
      await long('own-flood', 1)
      expect(runs).toBe(9)
    } finally {
      clearInterval(pauses)
      vi.useRealTimers()
    }
    await Promise.all(shorts)
    expect(await keys('flood-')).toHaveLength(9)
  })

  it.runIf(engine.isPostgres)('of one token that wait for its locks keep nobody else waiting', async () => {
    const { storage } = hosted.service
    await storage.write(tx => insert(tx, 'held-a'))
    const done: string[] = []
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    const update = (tx: Tx) => tx.all(`update setting set value = 'y' where key = 'held-a'`)
    let isHeld = () => {}
    const holds = new Promise<void>(resolve => {
      isHeld = resolve
    })
    const holder = storage.write(
      async tx => {
        await update(tx)
        isHeld()
        await held
      },
      { isLong: true, owner: 1 },
    )
    await holds
    const waiting = Array.from({ length: 30 }, (_, index) =>
      storage.write(update, { owner: 1, isLong: index % 2 === 0 }).then(() => done.push('own')),
    )
    await Promise.all([
      storage.write(tx => insert(tx, 'held-b'), { owner: 2 }),
      storage.write(tx => insert(tx, 'held-c'), { owner: 2, isLong: true }),
      keys('held-'),
    ])
    done.push('others')
    release()
    await Promise.all([holder, ...waiting])
    expect(done[0]).toBe('others')
    expect(done).toHaveLength(31)
    expect(await keys('held-')).toEqual(['held-a', 'held-b', 'held-c'])
  })

  it.runIf(engine.isPostgres)(
    'find the values of a list by an index, not in all rows of a project',
    async () => {
      const { reads } = hosted.service.storage
      const select = 'select id from term where project_id = ? and deleted_at is null'
      const [query, values] = rowsOfTexts('postgres', select, 'identifier', [1], ['term.a', 'term.b'])
      const plan = (await reads.all(`explain ${query}`, values)).map(row => row['QUERY PLAN']).join('\n')
      expect(plan).toMatch(/Index Cond: .*project_id = 1.* AND .*identifier.* = list.value/)
    },
  )

  it('many that take time are all done, in their order', async () => {
    const [order, all] = [[] as number[], Array.from({ length: 70 }, (_, index) => index)]
    const busy = (until: number) => {
      while (performance.now() < until);
    }
    await Promise.all(
      all.map(async index => {
        await hosted.service.storage.write(async tx => {
          busy(performance.now() + 1)
          await insert(tx, `busy-${String(index).padStart(2, '0')}`)
        })
        order.push(index)
      }),
    )
    expect(await keys('busy-')).toHaveLength(70)
    if (!engine.isPostgres) expect(order).toEqual(all)
  })

  it('counters that are read, then written, lose nothing', async () => {
    const { storage } = hosted.service
    await storage.write(tx => tx.all(`insert into setting (key, value) values ('counter', '0')`))
    await Promise.all(
      Array.from({ length: 50 }, () =>
        storage.write(async tx => {
          const row = await tx.firstForUpdate('select value from setting where key = ?', ['counter'])
          await tx.all('update setting set value = ? where key = ?', [
            String(Number(row?.['value']) + 1),
            'counter',
          ])
        }),
      ),
    )
    expect(await storage.reads.first(`select value from setting where key = 'counter'`)).toEqual({
      value: '50',
    })
  })

  it('each is one revision of its project, and the audit rows are a chain', async () => {
    const { storage } = hosted.service
    const before = Number(await storage.revision(1))
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        storage.write(async tx => {
          note(tx, `chain:${index}`)
          note(tx, `chain:${index}`)
        }),
      ),
    )
    // More than one statement takes, with all that can be in a text.
    await storage.write(
      async tx => {
        for (let index = 0; index < 250; index++) {
          const details = index % 2 === 0 ? { text: 'a "b" \\ c\n\t / é 漢 💥 \u2028', index } : undefined
          const change = {
            project: 1,
            action: 'test.write',
            target: 'chain:"x"',
            actor: "o'x",
            requestId: 'é',
          }
          tx.record({ ...change, details, ...(index % 3 === 0 && { tokenId: index }) })
        }
      },
      { isLong: true },
    )
    expect(await storage.revision(1)).toBe(before + 21)
    const rows = await storage.reads.all('select * from audit where ledger_id = 1 order by id')
    let head = ''
    for (const row of rows) {
      head = auditHash(head, row as unknown as AuditRow)
      expect(row['hash']).toBe(head)
    }
    const ledger = await storage.reads.first('select revision, head from ledger where id = 1')
    expect(ledger).toEqual({ revision: before + 21, head })
  })

  it('are there after a restart', async () => {
    await hosted.service.storage.write(tx => insert(tx, 'kept-a'))
    await hosted.restart()
    expect(await keys('kept-')).toEqual(['kept-a'])
  })
})
