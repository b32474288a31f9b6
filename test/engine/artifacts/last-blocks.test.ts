import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lastBlocks, noBlocks, withBlocks } from '../../../cli/engine/artifacts/last-blocks.ts'
import { toJson } from '../../../cli/engine/artifacts/write-file.ts'
import type { Asset } from '../../../server/language/index.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-blocks-'))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const mean = '",\n      "schema": {\n      "blocks": {}\n      "path": "models/z.svc"'
const entries = [
  ['models/a.svc', '1', { name: 'a', transform: `SELECT 1 -- ${mean}`, blocks: { schema: [], path: '' } }],
  ['models/"b".svc', '2', {}],
  ['models/ü – 名.svc', '3', { name: 'ü', tests: [{ not_null: '名' }, { values: [1, null] }] }],
  ['models/d.svc', '4', { name: 'd', description: mean }],
] as const

function manifestOf(blocksOf: (path: string) => unknown) {
  const assets = entries.map(([path, text_hash, blocks]) => {
    return {
      id: path,
      path,
      definition_hash: 'h',
      text_hash,
      blocks: blocksOf(path) ?? blocks,
      schema: { columns: [] },
    }
  })
  return { version: 1, assets, lineage: [], tests: [{ asset: 'a', definition: { sql: mean } }] }
}

test('what is known of a manifest makes the same one again', () => {
  const path = join(folder, 'manifest.json')
  const whole = toJson(manifestOf(() => undefined))
  writeFileSync(path, whole)
  const last = lastBlocks(path)
  const asset = (index: number, textHash = entries[index]?.[1] ?? '') =>
    ({ path: entries[index]?.[0] ?? '', textHash }) as Asset
  for (const [index, [, , blocks]] of entries.entries())
    expect(JSON.parse(last(asset(index)) ?? 'null')).toEqual(blocks)
  expect(last(asset(1, 'another'))).toBeUndefined()
  expect(last({ path: 'models/z.svc', textHash: '1' } as Asset)).toBeUndefined()

  for (const unknown of [[], [0], [3], [1, 2], [0, 1, 2, 3]]) {
    const known = entries.map((_, index) => (unknown.includes(index) ? undefined : last(asset(index))))
    const without = new Set(entries.filter((_, index) => known[index] !== undefined).map(([each]) => each))
    const told = toJson(
      manifestOf(each => (without.has(each as (typeof entries)[number][0]) ? noBlocks : undefined)),
    )
    expect(withBlocks(told, known)).toBe(whole)
  }
})

test('nothing is known of a file that is not there or no manifest', () => {
  const path = join(folder, 'other.json')
  const asset = { path: 'models/a.svc', textHash: '1' } as Asset
  expect(lastBlocks(path)(asset)).toBeUndefined()
  writeFileSync(path, toJson(manifestOf(() => undefined)).slice(0, 150))
  expect(lastBlocks(path)(asset)).toBeUndefined()
})
