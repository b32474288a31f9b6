/** JSON records are read by one function: DuckDB guesses what an object is wherever it is not told. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { codeFiles, codeOf } from './code.ts'

const root = join(import.meta.dirname, '..', '..')

it('no other file calls read_json', () => {
  const callers = codeFiles(root, ['cli', 'server']).filter(file =>
    /\bread_(nd)?json(_auto)?\(/.test(codeOf(join(root, file))),
  )
  expect(callers).toEqual(['server/catalog/duckdb/json-from.ts'])
})
