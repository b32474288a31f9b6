/** How text files are written, as the lock keeps it, and what counts as another way. */
import { describe, expect, it } from 'vitest'
import {
  type FileLayout,
  formatSchemaLock,
  layoutDifferences,
  layoutsUnder,
  parseSchemaLock,
  unitedLayouts,
} from '../../../server/language/index.ts'

const usual: FileLayout = {
  encoding: 'utf-8',
  delimiter: ',',
  quote: undefined,
  escape: undefined,
  comment: '',
  header: true,
  skip: 0,
  line_ends: 'lf',
}
const odd: FileLayout = {
  encoding: 'utf-16le',
  delimiter: ';',
  quote: "'",
  escape: '\\',
  comment: '#',
  header: false,
  skip: 3,
  line_ends: 'mixed',
}

describe('the lock', () => {
  it('has one line a layout, sorted by asset, and reads them back', () => {
    const layouts = new Map([
      ['b', [usual]],
      ['a', [usual, odd]],
    ])
    const text = formatSchemaLock(new Map(), { layouts })
    expect(text).toBe(`{
  "version": 1,
  "sources": {},
  "layouts": {
    "a": [
      {"encoding":"utf-8","delimiter":",","header":true,"line_ends":"lf"},
      {"encoding":"utf-16le","delimiter":";","quote":"'","escape":"\\\\","comment":"#","header":false,"skip":3,"line_ends":"mixed"}
    ],
    "b": [
      {"encoding":"utf-8","delimiter":",","header":true,"line_ends":"lf"}
    ]
  }
}
`)
    const read = parseSchemaLock(text)
    expect(read.layouts.get('a')).toEqual([usual, odd])
    expect(formatSchemaLock(read.shapes, { layouts: read.layouts })).toBe(text)
  })

  it('is as before without them, and passes over what is none', () => {
    expect(formatSchemaLock(new Map())).toBe('{\n  "version": 1,\n  "sources": {}\n}\n')
    const broken = '{"version":1,"sources":{},"layouts":{"a":5,"b":[7,{"header":true}],"c":null}}'
    expect(parseSchemaLock(broken)).toMatchObject({ layouts: new Map(), problem: undefined })
  })
})

describe('another way', () => {
  const keysOf = (found: Partial<FileLayout>, agreed: Partial<FileLayout> = {}, options = {}) =>
    layoutDifferences({ ...usual, ...found }, [{ ...usual, ...agreed }], options).map(({ key }) => key)

  it.each<[string, Partial<FileLayout>]>([
    ['encoding', { encoding: 'utf-16be' }],
    ['delimiter', { delimiter: '\t' }],
    ['quote', { quote: "'" }],
    ['escape', { quote: '"', escape: '\\' }],
    ['header', { header: false }],
    ['skip', { skip: 2 }],
    ['line_ends', { line_ends: 'cr' }],
  ])('is one of %s', (key, found) => {
    expect(keysOf(found)).toEqual([key])
  })

  it('is none where a file has no sign of it', () => {
    expect(keysOf({}, { quote: "'", escape: '\\' })).toEqual([])
    expect(keysOf({ quote: '"' })).toEqual([])
    expect(keysOf({ line_ends: 'crlf' })).toEqual([])
    expect(keysOf({ line_ends: undefined }, { line_ends: 'cr' })).toEqual([])
  })

  it('is none that the options say', () => {
    expect(keysOf({ delimiter: ';', skip: 1 }, {}, { delimiter: ';', skip: 1 })).toEqual([])
    expect(keysOf({ comment: '#' })).toEqual([])
  })

  it('is told against the nearest, and nothing is told where nothing was agreed', () => {
    const found = { ...odd, skip: 4 }
    expect(layoutDifferences(found, [usual, odd], {})).toEqual([{ key: 'skip', before: 3, now: 4 }])
    expect(layoutDifferences(found, [], {})).toEqual([])
  })
})

it('grows by what fits none, and never by what fits', () => {
  const crlf: FileLayout = { ...usual, line_ends: 'crlf', quote: '"' }
  expect(unitedLayouts([], [usual, crlf, odd, odd], {})).toEqual([usual, odd])
  expect(unitedLayouts([odd], [usual], {})).toEqual([odd, usual])
  expect(unitedLayouts([odd, usual], [crlf], {})).toEqual([odd, usual])
})

it('loses what the options contradict', () => {
  expect(layoutsUnder({ delimiter: ';' }, [usual, odd])).toEqual([])
  expect(layoutsUnder({ delimiter: ';', comment: '#' }, [usual, odd])).toEqual([odd])
  expect(layoutsUnder({ encoding: 'utf-16', comment: '#' }, [usual, odd])).toEqual([odd])
  expect(layoutsUnder({}, [usual, odd])).toEqual([usual])
})
