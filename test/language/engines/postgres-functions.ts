/** What is written down of PostgreSQL's functions is what PostgreSQL has. */
import { readFunctionBook } from '@svc/server/catalog'
import type { FunctionBook, FunctionOverload, SqlFunction } from '@svc/server/language'
import { beforeAll, describe, expect, it } from 'vitest'
import { toldFunctions } from '../../../server/catalog/postgres/function-book.ts'
import { isOpen } from '../../../server/language/engines/function-effects.ts'
import { functionWords } from '../../../server/language/engines/postgres/function-words.ts'
import { postgres } from '../../../server/language/engines/postgres/postgres.ts'
import type { PostgresHere } from '../../support/pglite.ts'

/** A type for each that the arguments decide. */
const decided: Readonly<Record<string, string>> = {
  any: 'integer',
  anyelement: 'integer',
  anynonarray: 'integer',
  anyarray: 'integer[]',
  anycompatible: 'integer',
  anycompatiblearray: 'integer[]',
  anycompatiblenonarray: 'integer',
  anycompatiblerange: 'int4range',
  anycompatiblemultirange: 'int4multirange',
  anyrange: 'int4range',
  anymultirange: 'int4multirange',
  anyenum: 'mood',
}

/** Whether a call says it all: rows have no type, an enum has no array among those above, and `*` is no argument. */
function isPlain(name: string, { parameters, returns = '' }: FunctionOverload): boolean {
  if (returns.startsWith('TABLE(') || (name === 'count' && parameters.length === 0)) return false
  return returns !== 'anyarray' || !parameters.some(({ type }) => type === 'anyenum')
}

const typeOf = (type: string) => decided[type] ?? type

/** Returns a call with NULLs. */
function callOf({ name, kind }: SqlFunction, { parameters }: FunctionOverload): string {
  if (postgres.functions.valueWords.has(name)) return name
  const call = `${name}(${parameters.map(({ type }) => (type === 'record' ? 'ROW(1)' : `NULL::${typeOf(type)}`)).join(', ')})`
  if (postgres.functions.windows.has(name) || postgres.help.functions.get(name)?.needsOver)
    return `${call} OVER ()`
  return kind === 'aggregate' && /^(mode|percentile_)/.test(name) ? `${call} WITHIN GROUP (ORDER BY 1)` : call
}

export function listsFunctions(server: PostgresHere): void {
  let book: FunctionBook
  beforeAll(async () => {
    book = await readFunctionBook(postgres)
    await server.run("CREATE TYPE mood AS ENUM ('good')")
  })

  describe('the book of functions', () => {
    it('has forms that PostgreSQL takes, with the result that it gives', async () => {
      const wrong: string[] = []
      const told = toldFunctions()
      expect(told.length).toBeGreaterThan(350)
      for (const each of told) {
        expect(each.description).not.toBe('')
        const calls = each.overloads.filter(form => isPlain(each.name, form))
        // A call with an argument of no type of its own may be that of several forms; a form alone is none.
        const found =
          calls.length === 0 ? [] : await server.describe(`SELECT ${calls.map(form => callOf(each, form))}`)
        if (typeof found === 'string') wrong.push(`${each.name}: ${found}`)
        else
          found.forEach(({ type }, index) => {
            const returns = typeOf((calls[index]?.returns ?? '').replace('SETOF ', ''))
            if (
              returns !== type &&
              returns !== 'record' &&
              !(each.name === 'percentile_cont' && /^interval/.test(returns))
            )
              wrong.push(`${each.name} gives ${type}, not ${returns}`)
          })
      }
      expect(wrong).toEqual([])
    })

    it('has rows of several columns behind FROM', async () => {
      const tables = toldFunctions().filter(({ kind }) => kind === 'table')
      expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['jsonb_each', 'json_each_text']))
      for (const each of tables)
        for (const form of each.overloads.filter(({ returns }) => returns?.startsWith('TABLE('))) {
          const found = await server.describe(`SELECT * FROM ${callOf(each, form)}`)
          const columns =
            typeof found === 'string' ? found : found.map(({ name, type }) => `${name} ${type}`).join(', ')
          expect([each.name, form.returns]).toEqual([each.name, `TABLE(${columns})`])
        }
    })

    it('explains functions that there are, with examples that PostgreSQL takes', async () => {
      const { help } = postgres
      const wrong: string[] = []
      for (const [name, { example, names, forms }] of functionWords()) {
        if (forms === undefined && names !== undefined) {
          const longest = Math.max(...(book.get(name)?.overloads.map(form => form.parameters.length) ?? [0]))
          if (longest !== names.length) wrong.push(`${name} has ${longest} parameters`)
        }
        const found = example === undefined ? [] : await server.describe(`SELECT ${example}`)
        if (typeof found === 'string') wrong.push(`${name}: ${found}`)
      }
      for (const name of [...help.everydayFunctions, ...help.everydayTableFunctions, ...help.calls.keys()])
        if (!book.has(name)) wrong.push(`${name} is in no book`)
      for (const name of help.types.keys()) if (!postgres.types.names.has(name)) wrong.push(name)
      expect(wrong).toEqual([])
    })

    it('names every parameter, and leaves out what only the system calls', () => {
      const names = [...book.values()].flatMap(({ overloads }) =>
        overloads.flatMap(({ parameters }) => parameters.map(({ name }) => name)),
      )
      expect(names.filter(name => name === '' || /^col\d/.test(name))).toEqual([])
      expect([...book.keys()].filter(name => !isOpen(postgres.functions.effectOf(name) ?? 'pure'))).toEqual(
        [],
      )
    })

    it('has every aggregate and window of the PostgreSQL that is here', async () => {
      const told = toldFunctions().filter(({ kind }) => kind === 'aggregate')
      const all = await server.rows(
        "SELECT DISTINCT proname FROM pg_proc WHERE prokind IN ('a', 'w') ORDER BY 1",
      )
      expect(told.map(({ name }) => name)).toEqual(all.map(([name]) => name))
    })
  })
}
