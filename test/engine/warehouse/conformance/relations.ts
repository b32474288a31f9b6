/** Listing, describing and dropping relations, of any adapter. */
import { describe, expect, it } from 'vitest'
import { SvcError } from '../../../../cli/engine/errors.ts'
import { sqlWords } from '../../../../cli/engine/run/sql-words.ts'
import type { Dialect } from '../../../../cli/engine/warehouse/dialect.ts'
import { type Ground, oddNames } from './ground.ts'

export function describeRelations(ground: Ground): void {
  describe('relations', () => {
    it('describes a query without running it', async () => {
      const session = await ground.write()
      await session.execute(['CREATE TABLE main.t (id INTEGER, "Two Words" VARCHAR)'])
      const columns = await session.describe('SELECT "Two Words", id FROM main.t WHERE id = 1 -- comment')
      expect(columns.map(column => column.name)).toEqual(['Two Words', 'id'])
      expect(columns.every(column => typeof column.type === 'string')).toBe(true)
      await expect(session.describe('SELECT nothing FROM main.t')).rejects.toThrow('nothing')
    })

    it('lists relations, columns and schemas, under any name', async () => {
      const session = await ground.write()
      const { dialect } = session
      for (const schema of oddNames) {
        await session.createSchema(schema)
        await session.createSchema(schema)
        const table = dialect.relation({ schema, name: `t ${schema}` })
        const view = dialect.relation({ schema, name: `v ${schema}` })
        const column = dialect.identifier(schema)
        const own = `SELECT ${column} FROM ${table}`
        await session.execute([
          `CREATE TABLE ${table} AS SELECT 1 AS ${column}, 'x' AS b`,
          `CREATE VIEW ${view} AS ${own}`,
        ])
        const [first, { query, reads, ...second } = {}] = await session.relations(schema)
        expect([first, second]).toEqual([
          { name: `t ${schema}`, kind: 'table' },
          { name: `v ${schema}`, kind: 'view' },
        ])
        if (query === undefined) expect(reads).toEqual([schema])
        else expect(textsOf(query, dialect)).toEqual(textsOf(own, dialect))
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
      await session.createSchema('empty')
      const found = await session.inventory('e')
      expect([...found]).toEqual([['empty', []]])
      const odd = (await session.inventory('se')).get('semi;colon') ?? []
      expect(odd.map(({ name, kind }) => ({ name, kind }))).toEqual([
        { name: 't semi;colon', kind: 'table' },
        { name: 'v semi;colon', kind: 'view' },
      ])
    })

    it('drops a schema with what is in it, and nothing outside', async () => {
      const session = await ground.write()
      await session.createSchema('green')
      await session.createSchema('other')
      await session.execute([
        'CREATE TABLE green.t AS SELECT 1 AS n',
        'CREATE VIEW green.v AS SELECT n FROM green.t',
        'CREATE TABLE other.t AS SELECT 2 AS n',
      ])
      await session.execute(ground.engine.needed.begin)
      await expect(session.dropSchema('green')).rejects.toBeInstanceOf(SvcError)
      expect(await session.relations('green')).toHaveLength(2)
      await session.execute(ground.engine.needed.end)
      await session.dropSchema('green')
      await session.dropSchema('green')
      expect(await session.schemas('green')).toEqual([])
      expect(await session.query('SELECT n FROM other.t')).toEqual([{ n: 2 }])
    })

    it('drops single relations, also those already gone', async () => {
      const session = await ground.write()
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
}

function textsOf(sql: string, { engine }: Dialect): readonly string[] {
  return sqlWords(sql, engine).map(({ text }) => text)
}
