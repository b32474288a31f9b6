/** The lists of words, asked from DuckDB again: a new version may have others. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { duckdbGrammar } from '../../../server/language/engines/duckdb/grammar.ts'
import { grammarWords } from '../../../server/language/engines/duckdb/grammar-words.ts'
import { cannotBe, wordsThatCannotBe } from '../../../server/language/sql/grammar.ts'
import { type DuckdbParser, openParser } from './duckdb-parser.ts'

let parser: DuckdbParser
beforeAll(async () => {
  parser = await openParser()
})
afterAll(() => parser.close())

async function refused(text: (word: string) => string): Promise<string[]> {
  const words = await keywords()
  const found = await Promise.all(
    words.map(async word => ((await parser.objection(text(word))) === undefined ? [] : [word])),
  )
  return found.flat()
}

async function keywords(): Promise<string[]> {
  const rows = await parser.rows('SELECT keyword_name FROM duckdb_keywords() ORDER BY 1')
  return rows.map(([word]) => String(word))
}

const barred = (bit: number) => [...wordsThatCannotBe(bit, grammarWords)].sort()

describe('the words of DuckDB', () => {
  it('are its keywords', async () => {
    expect([...grammarWords.keys()].sort()).toEqual((await keywords()).sort())
  })

  it.each([
    ['names', cannotBe.name, (word: string) => `SELECT 1 FROM ${word}`],
    ['functions', cannotBe.function, (word: string) => `SELECT ${word}(1)`],
    ['types', cannotBe.type, (word: string) => `SELECT CAST(1 AS ${word})`],
  ])('are none of its %s', async (_, bit, text) => {
    expect(barred(bit)).toEqual((await refused(text)).sort())
  })

  it('include the functions that take lambdas', async () => {
    const rows = await parser.rows(
      "SELECT DISTINCT function_name FROM duckdb_functions() WHERE list_contains(parameter_types, 'LAMBDA')",
    )
    expect([...duckdbGrammar.lambdaFunctions].sort()).toEqual(rows.map(([name]) => String(name)).sort())
  })
})
