import { describe, expect, it } from 'vitest'
import { parseCsv } from '../../server/language/index.ts'

describe('parseCsv', () => {
  it.each([
    [
      'a,b\r\nc,"d, ""e"""\r\n',
      [
        [1, 'a', 'b'],
        [2, 'c', 'd, "e"'],
      ],
    ],
    [
      '\uFEFFa\n\n"x\ny",z\nlast',
      [
        [1, 'a'],
        [3, 'x\ny', 'z'],
        [5, 'last'],
      ],
    ],
    ['a,,\n', [[1, 'a', '', '']]],
    ['', []],
  ])('%j', (text, rows) => {
    const table = parseCsv(text)
    expect(table.problems).toEqual([])
    expect(table.rows.map(({ line, cells }) => [line, ...cells])).toEqual(rows)
  })

  it('names the lines with wrong quotes and reads the others', () => {
    const { rows, problems } = parseCsv('a\n"b"c,d\ne\n"never\nclosed')
    expect(problems).toEqual([
      { line: 2, message: 'there is text behind the closing quote' },
      { line: 4, message: 'a quoted cell is never closed' },
    ])
    expect(rows.map(({ cells }) => cells[0])).toEqual(['a', 'e', 'closed'])
  })
})
