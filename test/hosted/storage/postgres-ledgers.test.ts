import { expect, it } from 'vitest'
import { PostgresLedgers } from '../../../hosted-api/storage/postgres-ledgers.ts'
import type { Change, Row } from '../../../hosted-api/storage/storage.ts'

const changes = (count: number): readonly Change[] =>
  Array.from({ length: count }, (_, index) => ({
    project: 1,
    action: 'test.write',
    target: `test:${index}`,
    actor: 'test',
    requestId: 'test',
  }))

/** A transaction that only notes its statements; `onInsert` runs in the middle of each of its insertions of audit rows. */
function notingTx(onInsert: () => void, locked: Promise<void> = Promise.resolve()) {
  const statements: string[] = []
  return {
    statements,
    async all<R extends Row>(query: unknown): Promise<readonly R[]> {
      const [verb = '', what] = /^(insert into \w+|savepoint|rollback to)/.exec(String(query)) ?? ['other']
      statements.push((what ?? verb).replace('insert into ', ''))
      if (what === 'insert into audit') onInsert()
      return []
    },
    async firstForUpdate<R extends Row>(): Promise<R | undefined> {
      statements.push('lock')
      await locked
      return undefined
    },
  }
}

it('a long write gives the ledger back to short ones that wait, and begins its audit rows again', async () => {
  const ledgers = new PostgresLedgers()
  let unlock = () => {}
  const unlocked = new Promise<void>(resolve => {
    unlock = resolve
  })
  const short = notingTx(() => {}, unlocked)
  let written: Promise<void> | undefined
  const long = notingTx(() => {
    written ??= ledgers.write(short, changes(1), 'now', false)
  })
  const { all } = long
  await ledgers.write(
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
    'now',
    true,
  )
  expect(short.statements).toEqual(['lock', 'audit', 'ledger'])
  expect(long.statements).toEqual([
    'savepoint',
    ...['lock', 'audit', 'rollback to'],
    ...['lock', 'audit', 'audit', 'audit', 'ledger'],
  ])
})

it('a long write ends, however long others wait, and one of a hundred changes gives nothing back', async () => {
  const ledgers = new PostgresLedgers()
  // They wait for a lock of another server.
  void ledgers.write(
    notingTx(() => {}, new Promise(() => {})),
    changes(1),
    'now',
    false,
  )
  const [long, few] = [notingTx(() => {}), notingTx(() => {})]
  await ledgers.write(long, changes(200), 'now', true)
  expect(long.statements.filter(each => each === 'rollback to')).toHaveLength(20)
  expect(long.statements.slice(-4)).toEqual(['lock', 'audit', 'audit', 'ledger'])
  await ledgers.write(few, changes(100), 'now', true)
  expect(few.statements).toEqual(['savepoint', 'lock', 'audit', 'ledger'])
})
