/** CSV as a person writes it into a file: aligned, quoted where it must be, nothing lost. */
import { describe, expect, it } from 'vitest'
import { parseCsvRows } from '../../../server/language/unit/csv-rows.ts'

const cells = (text: string) => parseCsvRows(text).rows.map(row => row.map(cell => cell.text))

describe('CSV in a unit test', () => {
  it('leaves out the blanks around values, and lines without any', () => {
    expect(parseCsvRows('id,  name\n\n1,  Ada \n   \n2,Bo').header.map(({ text }) => text)).toEqual([
      'id',
      'name',
    ])
    expect(cells('id,  name\n\n1,  Ada \n   \n2,Bo')).toEqual([
      ['1', 'Ada'],
      ['2', 'Bo'],
    ])
  })

  it('tells nothing from an empty text', () => {
    expect(cells('a,b,c\n,"",x\n')).toEqual([[null, '', 'x']])
    expect(cells('a,b\r\n,\r\n')).toEqual([[null, null]])
  })

  it('reads quotes, and keeps what stands behind them', () => {
    expect(cells('a,b\n"x, ""y""",  " z "\n"1"2,3')).toEqual([
      ['x, "y"', ' z '],
      ['12', '3'],
    ])
    expect(cells('a\n"two\nlines"')).toEqual([['two\nlines']])
  })

  it('gives each value the place where it stands', () => {
    const text = 'id, name\n1,  "Ada"\n2,'
    const places = parseCsvRows(text).rows.map(row =>
      row.map(({ range }) => text.slice(range.start, range.end)),
    )
    expect(places).toEqual([
      ['1', '"Ada"'],
      ['2', ''],
    ])
  })

  it('says what is wrong with a header and with a line', () => {
    const { problems, rows } = parseCsvRows('id,ID,\n1,2,3\n4,5')
    expect(problems.map(({ message }) => message)).toEqual([
      'the column "ID" is there twice',
      'the line has 2 values for 3 columns',
    ])
    expect(rows).toHaveLength(1)
    expect(parseCsvRows('id,,x').problems.map(({ message }) => message)).toEqual(['a column has no name'])
  })

  it('takes any text', () => {
    for (const text of ['', '\n', '"', ',', '"\r', 'a,"b', '\t', ',,\n"""'])
      expect(() => parseCsvRows(text)).not.toThrow()
  })
})
