import knex from 'knex'
import { expect, it } from 'vitest'
import { GroupCommit } from '../../../hosted-api/storage/group-commit.ts'

it('a long write lets short ones of others go first while its audit rows are written', async () => {
  const statements: string[] = []
  let onAudit = () => {}
  const note = (text: string) => {
    statements.push(/^(begin|rollback|insert into audit|insert into ledger|\w+ \w+)/.exec(text)?.[0] ?? text)
    if (text.startsWith('insert into audit')) onAudit()
  }
  const commits = new GroupCommit({
    build: knex({ client: 'sqlite3', useNullAsDefault: true }),
    writer: {
      exec: async text => note(text),
      all: async text => {
        note(text)
        return []
      },
      close: async () => {},
    },
    clock: () => new Date(0),
    onCommit: () => {},
  })
  let short: Promise<unknown> | undefined
  onAudit = () => {
    short ??= commits.write(tx => tx.all('insert short'), { owner: 2 })
  }
  await commits.write(
    async tx => {
      await tx.all('insert long')
      for (let index = 0; index < 250; index++)
        tx.record({ project: 1, action: 'test', target: `test:${index}`, actor: 'test', requestId: 'test' })
    },
    { isLong: true, owner: 1 },
  )
  await short
  const audit = 'insert into audit'
  expect(statements).toEqual([
    ...['begin', 'insert long', 'select id', audit, 'rollback'],
    ...['begin', 'insert short', 'delete from'],
    ...['begin', 'insert long', 'select id', audit, audit, audit, 'insert into ledger', 'delete from'],
  ])
})
