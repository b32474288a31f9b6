/** What changes from page to page of one fetch, and what is only chance. */
import { describe, expect, it } from 'vitest'
import {
  createPageLog,
  createRecordReader,
  newShape,
  type PageChange,
  type SavedPageLog,
} from '../../../server/language/index.ts'

const text = ({ kind, path, page, from, to }: PageChange) =>
  `${kind} ${path.join('.')} ${page}${from === undefined ? '' : ` from ${from}`}${to === undefined ? '' : ` to ${to}`}`

function readPage(shape: ReturnType<typeof newShape>, records: readonly unknown[], pieceSize: number): void {
  const reader = createRecordReader({
    place: { kind: 'path', path: [] },
    shape,
    levels: 4,
    onRecord: () => {},
  })
  const bytes = Buffer.from(JSON.stringify(records))
  for (let at = 0; at < bytes.length; at += pieceSize) reader.push(bytes.subarray(at, at + pieceSize))
  reader.end()
}

/** `breakAfter`: another process goes on behind this page. */
function changes(pages: readonly (readonly unknown[])[], breakAfter = 0, pieceSize = 1 << 16): string[] {
  let shape = newShape()
  let log = createPageLog(shape)
  pages.forEach((records, index) => {
    readPage(shape, records, pieceSize)
    log.page(index + 1)
    if (index + 1 !== breakAfter) return
    const saved = JSON.parse(JSON.stringify(log.save())) as SavedPageLog
    shape = newShape()
    readPage(shape, pages.slice(0, breakAfter).flat(), pieceSize)
    log = createPageLog(shape, saved)
  })
  return log.changes().map(text)
}

const many = (count: number, record: (index: number) => object) =>
  Array.from({ length: count }, (_, index) => record(index))

describe('keys that come and go', () => {
  it('the page that has it first, the page that has it no more', () => {
    expect(changes([[{ id: 1, a: 1 }], [{ id: 2, a: 2 }], [{ id: 3, b: 'x' }]])).toEqual([
      'vanished a 3 from BIGINT',
      'added b 3 to VARCHAR',
    ])
    expect(changes([[{ id: 1 }], [{ id: 2 }]])).toEqual([])
  })

  it('pages without records say nothing', () => {
    expect(changes([[], [{ id: 1, a: 1 }], []])).toEqual([])
    expect(changes([[], [{ id: 1 }], [], [{ id: 2, a: 1 }]])).toEqual(['added a 4 to BIGINT'])
  })

  it('a key that only some records have is missing from a short page by chance', () => {
    const sometimes = many(100, index => (index % 5 === 0 ? { id: index, nick: 'x' } : { id: index }))
    expect(changes([sometimes, sometimes, [{ id: 1 }, { id: 2 }]])).toEqual([])
    expect(changes([sometimes, sometimes, many(100, id => ({ id }))])).toEqual([
      'vanished nick 3 from VARCHAR',
    ])
  })

  it('a key that comes back has not vanished', () => {
    expect(changes([[{ id: 1, a: 1 }], [{ id: 2 }], [{ id: 3, a: 1 }]])).toEqual([])
  })

  it('NULL is there', () => {
    expect(changes([[{ a: 1 }], [{ a: null }]])).toEqual([])
    expect(changes([[{ a: null }], [{ a: 'x' }]])).toEqual([])
  })
})

describe('types', () => {
  it.each([
    [1, 2.5, 'retyped a 2 from BIGINT to DOUBLE'],
    [1, 'x', 'retyped a 2 from BIGINT to VARCHAR'],
    ['x', 1, 'retyped a 2 from VARCHAR to BIGINT'],
    ['2026-01-01', '2026-01-01T10:00:00', 'retyped a 2 from DATE to TIMESTAMP'],
    ['2026-01-01', 'soon', 'retyped a 2 from DATE to VARCHAR'],
    [[1], ['x'], 'retyped a 2 from BIGINT[] to list'],
    [[1], [1.5], 'retyped a 2 from BIGINT[] to DOUBLE[]'],
    [{ b: 1 }, 'x', 'retyped a 2 from object to VARCHAR'],
  ])('%j, then %j', (first, second, said) => {
    expect(changes([[{ a: first }], [{ a: second }], [{ a: second }]])).toEqual([said])
  })

  it('a column that is text already is told no more of what joins it', () => {
    expect(changes([[{ a: true }], [{ a: 1 }], [{ a: 'x' }], [{ a: 2 }]])).toEqual([
      'retyped a 2 from BOOLEAN to VARCHAR',
    ])
  })

  it('text after text is nothing new', () => {
    expect(changes([[{ a: 'x' }], [{ a: '2026-01-01' }]])).toEqual([])
  })
})

describe('inside records', () => {
  it('an object that comes or goes says it for what is in it', () => {
    expect(
      changes([[{ id: 1, old: { x: 1 } }], [{ id: 2, old: { x: 1 } }], [{ id: 3, new: { y: 1 } }]]),
    ).toEqual([
      'vanished old 3 from object',
      'vanished old.x 3 from BIGINT',
      'added new 3 to object',
      'added new.y 3 to BIGINT',
    ])
  })

  it('a list of objects says it for itself alone; its objects are counted by themselves', () => {
    const line = (sku: string, more: object = {}) => ({ sku, ...more })
    expect(changes([[{ id: 1 }], [{ id: 2, lines: [line('a')] }]])).toEqual(['added lines.[] 2 to list'])
    expect(
      changes([
        [{ id: 1, lines: [line('a')] }],
        [{ id: 2, lines: [] }],
        [{ id: 3, lines: [line('b', { n: 1 })] }],
      ]),
    ).toEqual(['added lines.[].n 3 to BIGINT'])
  })

  it('what was null before is not new', () => {
    expect(changes([[{ id: 1, address: null }], [{ id: 2, address: { city: 'Ulm' } }]])).toEqual([])
  })
})

describe('a fetch that another process goes on with', () => {
  const pages = [
    [
      { id: 1, a: 1, lines: [{ sku: 'a' }] },
      { id: 2, a: 2 },
    ],
    [{ id: 3, a: 3, late: 1, address: { city: 'Ulm' } }],
    [{ id: 4, a: 'x', late: 2, address: { city: 'Ulm', zip: '1' } }],
    [{ id: 5, late: 1.5, address: { zip: '2' }, lines: [{ sku: 1 }] }],
    [{ id: 6, late: 1.5, last: true, address: { zip: '3' } }],
  ]

  it('says the same, wherever it broke off', () => {
    const whole = changes(pages)
    expect(whole).toEqual([
      'retyped a 3 from BIGINT to VARCHAR',
      'vanished a 4 from VARCHAR',
      'retyped lines.[].sku 4 from VARCHAR to BIGINT',
      'added late 2 to DOUBLE',
      'retyped late 4 from BIGINT to DOUBLE',
      'added address 2 to object',
      'added address.city 2 to VARCHAR',
      'vanished address.city 4 from VARCHAR',
      'added address.zip 3 to VARCHAR',
      'added last 5 to BOOLEAN',
    ])
    for (let at = 1; at <= pages.length; at++) expect(changes(pages, at), `after page ${at}`).toEqual(whole)
  })

  it('what is plain takes no room in its record', () => {
    const shape = newShape()
    const log = createPageLog(shape)
    for (const number of [1, 2, 3]) {
      readPage(
        shape,
        many(10, id => ({ id, name: `n${id}`, nested: { x: id } })),
        1 << 16,
      )
      log.page(number)
    }
    expect(log.save()).toEqual({ pages: 3, fields: [] })
  })
})

it('a text that comes in small pieces tells the same', () => {
  const pages = [
    many(20, id => ({ id, a: id, b: 'x' })),
    many(20, id => ({ id, b: 'x' })),
    many(20, id => ({ id, b: 1 })),
  ]
  const whole = changes(pages)
  expect(whole).toEqual(['vanished a 2 from BIGINT', 'retyped b 3 from VARCHAR to BIGINT'])
  for (const size of [1, 7, 64]) expect(changes(pages, 0, size)).toEqual(whole)
})
