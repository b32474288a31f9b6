import { readFunctionBook } from '@svc/server/catalog'
import type { FunctionBook } from '@svc/server/language'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Binder, openBinder } from '../../server/catalog/binder.ts'
import { functionWords } from '../../server/language/engines/duckdb/function-words.ts'
import { engine } from '../support/engine.ts'

let book: FunctionBook
let binder: Binder
beforeAll(async () => {
  book = await readFunctionBook(engine)
  binder = await openBinder(engine)
})
afterAll(() => binder.close())

describe('the book of functions', () => {
  it('is read once', () => expect(readFunctionBook(engine)).toBe(readFunctionBook(engine)))

  it('tells forms, types, meaning and examples in the words of DuckDB', () => {
    const found = book.get('regexp_replace')
    expect(found?.kind).toBe('scalar')
    expect(found?.overloads.map(form => form.parameters.length)).toContain(4)
    expect(found?.overloads[0]?.parameters[0]).toEqual({ name: 'string', type: 'VARCHAR' })
    expect(found?.overloads[0]?.returns).toBe('VARCHAR')
    expect(found?.description).toMatch(/regex/)
    expect(found?.examples.length).toBeGreaterThan(0)
    expect(book.get('sum')?.kind).toBe('aggregate')
    expect(book.get('range')?.kind).toBe('table')
    expect(book.get('concat')?.overloads[0]?.varargs).toBe('ANY')
  })

  it('has no parameter called col0, and none of the functions that only tools call', () => {
    const names = [...book.values()].flatMap(({ overloads }) =>
      overloads.flatMap(form => form.parameters.map(({ name }) => name)),
    )
    expect(names.filter(name => /^col\d+$/.test(name))).toEqual([])
    expect([...book.keys()].filter(name => /^(pg_|icu_collate_|duckdb_|has_)/.test(name))).toEqual([])
  })

  it('gives examples of its own that DuckDB takes', async () => {
    const examples = [...functionWords().values()].flatMap(({ example }) => example ?? [])
    expect(examples.length).toBeGreaterThan(20)
    const wrong: string[] = []
    for (const example of examples) {
      const bound = await binder.bind(`SELECT ${example}`)
      if ('error' in bound) wrong.push(`${example}: ${bound.error.message}`)
    }
    expect(wrong).toEqual([])
  })

  it('tells the types that its own forms give as DuckDB does', async () => {
    const wrong: string[] = []
    for (const [name, { example, forms }] of functionWords()) {
      const returns = book.get(name)?.overloads[0]?.returns
      if (example === undefined || forms === undefined || returns === undefined || /^(ANY|T)$/.test(returns))
        continue
      const bound = await binder.bind(`SELECT ${example} AS x`)
      const type = 'columns' in bound ? bound.columns[0]?.type : undefined
      if (type !== returns) wrong.push(`${name} gives ${type}, not ${returns}`)
    }
    expect(wrong).toEqual([])
  })
})
