/** `docs/coming-from.md` says what is there and what is not, and the product says the same. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Feature, missing, takenOf, there } from './what-is-there.ts'

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'coming-from.md'), 'utf8')

/** The first cells of the table below a title, without links. */
function rowsBelow(title: string): readonly string[] {
  const from = page.indexOf(`\n## ${title}\n`)
  const part = page.slice(from, page.indexOf('\n## ', from + 1))
  const rows = part.split('\n').filter(line => line.startsWith('| '))
  return rows.slice(1).map(row => plain(row.split('|')[1] ?? ''))
}

const plain = (cell: string) =>
  cell
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    .trim()

describe.each<[string, readonly Feature[], boolean]>([
  ['What is not there yet', missing, false],
  ['What is there', there, true],
])('the table "%s"', (title, features, isSo) => {
  it('has a row for each', () => {
    expect(rowsBelow(title)).toEqual(features.map(({ says }) => says))
  })

  it.each(features.map(each => [each.says, each] as const))('%s', (_, feature) => {
    const taken = takenOf(feature)
    expect(taken.length).toBeGreaterThan(0)
    expect(taken).toEqual(taken.map(() => isSo))
  })
})

it('no other row says "not there yet" of what the first table does not name', () => {
  const rows = page.split('\n').filter(line => line.startsWith('|') && /not there/.test(line))
  const named = rows.map(row => /\(#what-is-not-there-yet\)/.test(row))
  expect(rows.filter((_, index) => !named[index])).toEqual([])
})
