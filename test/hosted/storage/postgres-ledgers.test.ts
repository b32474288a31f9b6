import { expect, it } from 'vitest'
import { type LedgerOptions, PostgresLedgers } from '../../../hosted-api/storage/postgres-ledgers.ts'
import type { Change, Row } from '../../../hosted-api/storage/storage.ts'

const changes = (count: number, project: number | undefined = 1): readonly Change[] =>
  Array.from({ length: count }, (_, index) => ({
    project,
    action: 'test.write',
    target: `test:${index}`,
    actor: 'test',
    requestId: 'test',
  }))

/** A transaction that only notes its statements; each statement with ledger rows ends when `append` does. */
function notingTx(append: () => Promise<void> | void = () => {}) {
  const statements: string[] = []
  const options = (isLong: boolean): LedgerOptions => ({
    at: 'now',
    isLong,
    commit: async () => {
      statements.push('commit')
    },
  })
  return {
    statements,
    short: options(false),
    long: options(true),
    async all<R extends Row>(query: unknown): Promise<readonly R[]> {
      const [verb = 'rows'] = /^(savepoint|rollback to)/.exec(String(query)) ?? []
      statements.push(verb)
      if (verb === 'rows') await append()
      return []
    },
  }
}

it('the end of the transaction is sent with the last rows of its last ledger, which are not waited for', async () => {
  const ledgers = new PostgresLedgers()
  const tx = notingTx(() => new Promise(() => {}))
  void ledgers.commit(tx, changes(2), tx.short)
  await new Promise(resolve => setImmediate(resolve))
  expect(tx.statements).toEqual(['rows', 'commit'])

  const several = notingTx()
  await ledgers.commit(several, [...changes(101, 2), ...changes(1, undefined)], several.short)
  expect(several.statements).toEqual(['rows', 'rows', 'rows', 'commit'])

  const nothing = notingTx()
  await ledgers.commit(nothing, [], nothing.short)
  expect(nothing.statements).toEqual(['commit'])
})

it('a long write gives the ledger back to short ones that wait, and begins its audit rows again', async () => {
  const ledgers = new PostgresLedgers()
  let unlock = () => {}
  const unlocked = new Promise<void>(resolve => {
    unlock = resolve
  })
  const short = notingTx(() => unlocked)
  let written: Promise<void> | undefined
  const long = notingTx(() => {
    written ??= ledgers.commit(short, changes(1), short.short)
  })
  const { all } = long
  await ledgers.commit(
    {
      ...long,
      // What PostgreSQL does: the rollback unlocks the row for the one who waits.
      all: async <R extends Row>(query: unknown) => {
        const rows = await all<R>(query)
        if (String(query).startsWith('rollback')) {
          unlock()
          await written
        }
        return rows
      },
    },
    changes(250),
    long.long,
  )
  expect(short.statements).toEqual(['rows', 'commit'])
  expect(long.statements).toEqual([
    'savepoint',
    ...['rows', 'rollback to'],
    ...['rows', 'rows', 'rows', 'commit'],
  ])
})

it('a long write ends, however long others wait, and one of a hundred changes gives nothing back', async () => {
  const ledgers = new PostgresLedgers()
  // They wait for a lock of another server.
  const waiting = notingTx(() => new Promise(() => {}))
  void ledgers.commit(waiting, changes(1), waiting.short)
  const [long, few] = [notingTx(), notingTx()]
  await ledgers.commit(long, changes(200), long.long)
  expect(long.statements.filter(each => each === 'rollback to')).toHaveLength(20)
  expect(long.statements.slice(-3)).toEqual(['rows', 'rows', 'commit'])
  await ledgers.commit(few, changes(100), few.long)
  expect(few.statements).toEqual(['savepoint', 'rows', 'commit'])
})
