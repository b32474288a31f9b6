import { expect, it } from 'vitest'
import { type AuditRow, auditHash, type Tx } from '../../../hosted-api/storage/index.ts'
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
    expect(await storage.revision(1)).toBe(before + 20)
    const rows = await storage.reads.all('select * from audit where ledger_id = 1 order by id')
    let head = ''
    for (const row of rows) {
      head = auditHash(head, row as unknown as AuditRow)
      expect(row['hash']).toBe(head)
    }
    const ledger = await storage.reads.first('select revision, head from ledger where id = 1')
    expect(ledger).toEqual({ revision: before + 20, head })
  })

  it('are there after a restart', async () => {
    await hosted.service.storage.write(tx => insert(tx, 'kept-a'))
    await hosted.restart()
    expect(await keys('kept-')).toEqual(['kept-a'])
  })
})
