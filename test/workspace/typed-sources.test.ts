/** An editor leaves out the look for types that a contract promises, and knows the same columns as a command. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type GuessedRecordType, readSourceShapes } from '@svc/server/catalog'
import { createProject, parseSettings } from '@svc/server/language'
import { sourceReader } from '@svc/server/workspace'
import { afterAll, expect, it } from 'vitest'
import { hash } from '../support/spec-project.ts'

const root = mkdtempSync(join(tmpdir(), 'svc-typed-sources-'))
mkdirSync(join(root, 'data', 'year=2024'), { recursive: true })
const lines = ['id,Order Id,name', ...Array.from({ length: 20 }, (_, row) => `${row},${row * 10},n${row}`)]
writeFileSync(join(root, 'data', 'orders.csv'), `${lines.join('\n')}\n`)
writeFileSync(join(root, 'data', 'year=2024', 'part.csv'), `${lines.join('\n')}\n`)
afterAll(() => rmSync(root, { recursive: true }))

const whole = '{id: bigint, order_id: {type: integer, from: Order Id}, name: varchar}'

/** By the source: whether its types are asked for, and what its file says of them. */
const sources: readonly (readonly [isAsked: boolean, ingest: string, columns: string])[] = [
  [false, 'resource: orders.csv', whole],
  [false, 'resource: orders.csv', '{id: bigint, "Order Id": varchar, name: varchar, gone: date}'],
  [false, 'resource: "year=2024/*.csv"', whole],
  [true, 'resource: orders.csv', '{id: bigint, name: varchar}'],
  [true, 'resource: orders.csv', '{id: bigint, order_id: bigint, name: varchar}'],
  [true, 'resource: orders.csv', '{id: bigint, order_id: {from: Order Id}, name: varchar}'],
  [true, 'resource: orders.csv, mask: {name: hash}', whole],
]

it.each(sources)('types are asked for: %s, of %s with %s', async (isAsked, ingest, columns) => {
  const text = `name: orders\ningest: {type: file, endpoint: data, ${ingest}}\ncontract: {columns: ${columns}}\ntransform: SELECT * FROM {{ source }}\n`
  const settings = parseSettings('name: shop\nwarehouse: duckdb:./w.duckdb\n')
  const project = createProject({ settings, files: [{ path: 'models/orders.svc', text }], hash })
  const kept: GuessedRecordType[] = []
  const cache = {
    get: () => undefined,
    set: (_key: string, guess: GuessedRecordType) => void kept.push(guess),
  }
  const reader = sourceReader({ root, cache })
  const { shapes, diagnostics } = await reader.read(project)
  reader.close()
  const ofCommand = await readSourceShapes(project, { root, lockText: undefined })
  expect(shapes).toEqual(ofCommand.shapes)
  expect(diagnostics).toEqual(ofCommand.diagnostics)
  expect(JSON.stringify(kept).includes('BIGINT')).toBe(isAsked)
})
