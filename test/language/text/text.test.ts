/** Lines and columns, the nearest names, and maps between a text and what was made of it. */
import { lineIndex, nearestNames } from '@svc/server/language'
import { describe, expect, it } from 'vitest'
import { pieceList } from '../../../server/language/text/position-map.ts'

describe('lineIndex', () => {
  it('counts lines as editors do', () => {
    const lines = lineIndex('a\nbc\r\nd\re\n')
    expect([1, 2, 3, 4, 5, 6].map(line => lines.lineText(line))).toEqual(['a', 'bc', 'd', 'e', '', ''])
    expect(lines.position(3)).toEqual({ line: 2, column: 2 })
    expect(lines.position(6)).toEqual({ line: 3, column: 1 })
  })

  it('counts columns in UTF-16 units', () => {
    expect(lineIndex('😀x').position(2)).toEqual({ line: 1, column: 3 })
  })

  it('goes there and back for every offset', () => {
    const text = 'ab\n\ncde\r\n😀\n'
    const lines = lineIndex(text)
    for (let offset = 0; offset <= text.length; offset++) {
      const { line, column } = lines.position(offset)
      const isInsideBreak = text.slice(offset - 1, offset + 1) === '\r\n'
      if (!isInsideBreak) expect(lines.offset(line, column)).toBe(offset)
    }
  })

  it('clamps what is outside', () => {
    const lines = lineIndex('ab\ncd')
    expect(lines.position(99)).toEqual({ line: 2, column: 3 })
    expect(lines.position(-1)).toEqual({ line: 1, column: 1 })
    expect(lines.offset(1, 99)).toBe(2)
    expect(lines.offset(99, 1)).toBe(3)
    expect(lineIndex('').position(0)).toEqual({ line: 1, column: 1 })
  })
})

describe('nearestNames', () => {
  const columns = ['date', 'delay', 'distance', 'origin', 'destination', 'carrier_name', 'delay_max']
  const cases: [string, readonly string[], string | undefined][] = [
    ['dely', columns, 'delay'],
    ['deley', columns, 'delay'],
    ['dealy', columns, 'delay'],
    ['DELAY', columns, 'delay'],
    ['carrierName', columns, 'carrier_name'],
    ['carrier', columns, 'carrier_name'],
    ['orgin', columns, 'origin'],
    ['destinaton', columns, 'destination'],
    ['zzz', columns, undefined],
    ['', columns, undefined],
    ['x', ['y'], undefined],
    ['qt', ['qty', 'ts'], 'qty'],
    ['avgg', ['avg', 'sum'], 'avg'],
    ['tabel', ['view', 'table'], 'table'],
    ['podim', ['podium'], 'podium'],
  ]
  it.each(cases)('%s', (name, candidates, nearest) => {
    expect(nearestNames(name, candidates)[0]).toBe(nearest)
  })

  it('finds every name of a list behind one slip, and puts it first', () => {
    const names = ['customers', 'orders', 'order_lines', 'products', 'payments', 'revenue_daily', 'shipments']
    for (const name of names) {
      for (let at = 0; at < name.length; at++) {
        const slips = [
          name.slice(0, at) + name.slice(at + 1),
          `${name.slice(0, at)}q${name.slice(at)}`,
          `${name.slice(0, at)}q${name.slice(at + 1)}`,
          name.slice(0, at) + (name[at + 1] ?? '') + name[at] + name.slice(at + 2),
        ]
        for (const slip of slips) expect(nearestNames(slip, names)[0], slip).toBe(name)
      }
    }
  })

  it('gives no more than asked for, each once', () => {
    expect(nearestNames('m_1', ['m_2', 'm_3', 'm_4', 'm_5'], 2)).toHaveLength(2)
    expect(nearestNames('ab', ['ab', 'ab'])).toEqual(['ab'])
  })

  it('is quick among very many', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `model_${index}`)
    expect(nearestNames('modell_4711', names)[0]).toBe('model_4711')
  })
})

describe('position maps', () => {
  const pieces = pieceList()
  pieces.add({ start: 0, end: 3 }, { start: 10, end: 13 })
  pieces.add({ start: 3, end: 4 }, { start: 13, end: 17 })
  pieces.add({ start: 4, end: 6 }, { start: 20, end: 22 })
  pieces.add({ start: 6, end: 8 }, { start: 30, end: 32 }, true)
  const map = pieces.build()

  it('maps piece by piece', () => {
    expect([0, 2, 3, 4, 5, 6, 7, 8].map(offset => map.toOriginal(offset))).toEqual([
      10, 12, 13, 20, 21, 30, 30, 32,
    ])
  })

  it('gives the smallest original range', () => {
    expect(map.rangeToOriginal({ start: 1, end: 2 })).toEqual({ start: 11, end: 12 })
    expect(map.rangeToOriginal({ start: 2, end: 5 })).toEqual({ start: 12, end: 21 })
    expect(map.rangeToOriginal({ start: 7, end: 8 })).toEqual({ start: 30, end: 32 })
    expect(map.rangeToOriginal({ start: 4, end: 4 })).toEqual({ start: 20, end: 20 })
    expect(pieceList().build().toOriginal(3)).toBe(0)
  })
})
