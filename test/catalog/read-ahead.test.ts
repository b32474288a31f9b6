/** SQL is read while the sources are looked at, and what was read is used once. */
import { createProject, parseSettings } from '@svc/server/language'
import { describe, expect, it } from 'vitest'
import { readAheadDuring, readingOf } from '../../server/catalog/read-ahead.ts'
import { readSql } from '../../server/language/sql/reader/read-sql.ts'
import { sha256 } from '../support/sql-lab.ts'

const settings = parseSettings('name: shop\nwarehouse: "duckdb:./warehouse.duckdb"\n')
const { engine } = settings

function assetsOf(count: number) {
  const files = Array.from({ length: count }, (_, index) => ({
    path: `models/a${index}.svc`,
    text: `name: a${index}\ningest: none\ntransform: SELECT ${index} AS id\n`,
  }))
  return [...createProject({ settings, files, hash: sha256 }).assets.values()]
}

function workOf<T>() {
  let [finish, fail] = [(_: T): void => {}, (_: Error): void => {}]
  const work = new Promise<T>((resolve, reject) => {
    finish = resolve
    fail = reject
  })
  return { work, finish, fail }
}

/** Passes on the assets, and does something before the one at `index`. */
function* interrupted<T>(items: readonly T[], index: number, action: () => void): Iterable<T> {
  for (const [at, item] of items.entries()) {
    if (at === index) action()
    yield item
  }
}

describe('reading ahead', () => {
  it('gives what reading at once gives, and keeps nothing after that', async () => {
    const assets = assetsOf(3)
    const { work, finish } = workOf<string>()
    const all = readAheadDuring(
      work,
      interrupted([...assets, ...assetsOf(1)], 3, () => finish('done')),
      engine,
    )
    expect(await all).toBe('done')
    for (const { sql } of assets) {
      if (sql === undefined) throw new Error('there is no SQL')
      const first = readingOf(sql, engine)
      expect(first).toEqual(readSql(sql.text, engine.grammar))
      expect(readingOf(sql, engine)).not.toBe(first)
    }
  })

  it('stops when the work is done', async () => {
    const { work, finish } = workOf<number>()
    let asked = 0
    const assets = interrupted(assetsOf(9), 4, () => finish(1))
    function* counted() {
      for (const asset of assets) {
        asked += 1
        yield asset
      }
    }
    expect(await readAheadDuring(work, counted(), engine)).toBe(1)
    expect(asked).toBe(5)
  })

  it('goes on waiting when everything is read, and hands on what failed', async () => {
    const { work, fail } = workOf<number>()
    const all = readAheadDuring(work, assetsOf(2), engine)
    setTimeout(() => fail(new Error('the file is gone')), 20)
    await expect(all).rejects.toThrow('the file is gone')
  })
})
