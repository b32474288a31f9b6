/** Numbers of JSON are loaded with all their digits, kept apart, or the run warns of them. */
import type { RawTable } from '@svc/server/language'
import { afterAll, describe, expect, it } from 'vitest'
import type { SourceWarning } from '../../../cli/engine/ingest/source.ts'
import { type ContextChanges, load, temporaryProject } from './fetching.ts'

const project = temporaryProject()
afterAll(() => project.remove())

function loaded(values: readonly string[], more = '', changes: ContextChanges = {}) {
  project.write('data/numbers.ndjson', values.map((value, id) => `{"id":${id},"v":${value}}\n`).join(''))
  return loadedFrom('numbers.ndjson', more, changes)
}

function loadedFromCsv(values: readonly string[], changes: ContextChanges = {}) {
  project.write('data/numbers.csv', `id,v\n${values.map((value, id) => `${id},${value}\n`).join('')}`)
  return loadedFrom('numbers.csv', '', changes)
}

async function loadedFrom(file: string, more: string, changes: ContextChanges) {
  const warnings: SourceWarning[] = []
  const body = `ingest: {type: file, endpoint: ./data, resource: ${file}}${more === '' ? '' : `\n${more}`}`
  const { columns, rows, rejects } = await load(project, body, {
    ...changes,
    onWarning: warning => void warnings.push(warning),
  })
  return {
    column: columns['']?.[1],
    values: (rows[''] ?? []).map(({ v }) => v),
    rejects: rejects.map(({ raw }) => raw),
    warnings: warnings.map(({ code, message }) => `${code}: ${message}`),
  }
}

const asTexts = [
  'numbers-as-text: column "v" has numbers that neither a decimal nor a DOUBLE holds, which are loaded as texts with all their digits',
]

describe('numbers that no type of numbers holds', () => {
  it.each([
    ['0.5', '1e400', '1e-400'],
    ['1e400', '-1E+400'],
    ['1234567890'.repeat(5), '2'],
    ['9007199254740993', '1e+30'],
    [`${'9'.repeat(38)}.5`, '0.123456'],
  ])('are texts with a warning, and no infinity: %s, %s', async (...values) => {
    for (const found of [await loaded(values), await loadedFromCsv(values)]) {
      expect(found).toEqual({ column: 'v VARCHAR', values, rejects: [], warnings: asTexts })
    }
    const promised = await loaded(values, 'contract: {columns: {v: varchar}}')
    expect(promised.warnings).toEqual([])
  })

  it('are told of in objects of a list too', async () => {
    const { warnings } = await loaded(['[{"a":1e400}]', '[{"a":1}]'])
    expect(warnings).toEqual([asTexts[0]?.replace('"v"', '"v.a"')])
  })

  it('are no warning where texts beside them make the column one of texts, or no digits are lost', async () => {
    expect((await loadedFromCsv(['007', '+4912'])).warnings).toEqual([])
    expect((await loadedFromCsv(['1e400', 'none'])).warnings).toEqual([])
    expect((await loaded(['[1e400]', '[2]'])).values).toEqual(['[1e400]', '[2]'])
  })
})

describe('a number of JSON', () => {
  it('beyond the range of a DOUBLE is kept apart where it is one of many', async () => {
    const found = await loaded([...Array.from({ length: 20 }, (_, n) => `${n}.5`), '1e400'])
    expect(found.column).toBe('v DOUBLE')
    expect(found.values.at(-1)).toBeNull()
    expect(found.rejects).toEqual(['1e400'])
  })

  it.each([
    '0.30000000000000004',
    '5e-324',
    '1.7976931348623157e308',
    '1.50000000000000000000',
    '1.2345678901234568e-05',
  ])('%s is what a DOUBLE is', async number => {
    const found = await loaded(['0.5', number])
    expect(found.column).toBe('v DOUBLE')
    expect(found.values[1]).toBe(Number(number))
    expect(found.warnings).toEqual([])
  })

  it.each([
    ['99999999999999.99', 'DECIMAL(18,2)'],
    ['-0.12345678901234567890123', 'DECIMAL(23,23)'],
    ['0.10000000000000001', 'DECIMAL(18,17)'],
    ['12345678901234567890.125', 'DECIMAL(23,3)'],
  ])('%s makes the column a decimal, unless another type is promised', async (number, type) => {
    for (const found of [await loaded(['0.5', number, 'null']), await loadedFromCsv(['0.5', number, ''])]) {
      expect(found.column).toBe(`v ${type}`)
      expect(found.values.map(value => value && String(value).replace(/0+$/, ''))).toEqual([
        '0.5',
        number,
        null,
      ])
      expect(found.warnings).toEqual([])
    }
    const text = await loaded(['0.5', number], 'contract: {columns: {v: varchar}}')
    expect(text.values).toEqual(['0.5', number])
    expect(text.warnings).toEqual([])
    const decimal = await loaded(['0.5', number], 'contract: {columns: {v: "decimal(38,12)"}}')
    expect(decimal.warnings).toEqual([])
  })

  it.each([['1.23456789012345678901e-7'], [`0.${'123456789'.repeat(5)}`], [`1.5`, `0.${'1'.repeat(38)}`]])(
    '%s is rounded with a warning where no decimal holds all of the column',
    async (...numbers) => {
      for (const found of [await loaded(['0.5', ...numbers]), await loadedFromCsv(['0.5', ...numbers])]) {
        expect(found.column).toBe('v DOUBLE')
        expect(found.warnings).toEqual([
          'rounded-numbers: column "v" has numbers with more digits than a DOUBLE holds, which are rounded to the nearest one',
        ])
      }
    },
  )

  it('keeps its digits or is rounded with a warning where the column was one of DOUBLEs', async () => {
    const previous: RawTable[] = [
      {
        child: undefined,
        complete: true,
        columns: [
          { name: 'id', type: 'BIGINT', path: ['id'], system: false, pii: false, nullable: true },
          { name: 'v', type: 'DOUBLE', path: ['v'], system: false, pii: false, nullable: true },
        ],
      },
    ]
    for (const found of [
      await loaded(['0.5', '99999999999999.99'], '', { previous }),
      await loadedFromCsv(['0.5', '99999999999999.99'], { previous }),
    ]) {
      expect(found.column).toBe('v DOUBLE')
      expect(found.warnings).toEqual([expect.stringContaining('rounded-numbers: column "v"')])
    }
  })

  it('in a list is told too, and is text in a document', async () => {
    const list = await loaded(['[0.5]', '[99999999999999.99]'])
    expect(list.warnings).toEqual([expect.stringContaining('rounded-numbers: column "v"')])
    const nested = await loaded(['[{"a":{"b":[99999999999999.99]}}]', '[]'], 'contract: {columns: {}}')
    expect(nested.warnings.length).toBeGreaterThan(0)
  })
})
