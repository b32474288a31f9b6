/** A promised type holds a value as the source has it, or the value is kept apart: none is changed by a cast. */
import { afterAll, expect, it } from 'vitest'
import { load, temporaryProject } from './fetching.ts'

const project = temporaryProject()
afterAll(() => project.remove())

it.each([
  [
    'decimal(10,2)',
    ['1.25', '1.250', '1e3', '1.25e1', '-0.5'],
    ['1.255', '1.255e0', '0x10', '1_0', '100000000', 'NaN'],
  ],
  ['integer', ['1', '-7', '1e3', '5.0'], ['0x10', '0b11', '1_000', '1.5', '2147483648']],
  ['double', ['0.5', '1e300', '-Infinity', 'nan'], ['1e400', '-1e400', '1_0.5']],
  ['float', ['0.5', '1e38'], ['1e39']],
  [
    'date',
    ['2024-02-29', '2024-02-29T00:00:00Z', '2024-02-29 00:00:00'],
    ['2024-02-29 12:00:00', '2024-02-29T00:00:01Z', '2024-02-30'],
  ],
  [
    'timestamp',
    ['2024-02-29 12:34:56.789012', '2024-02-29 12:34:56.789012000', '2024-02-29'],
    ['2024-02-29 12:34:56.123456789'],
  ],
  ['time', ['12:34:56', '12:34:56.123456'], ['12:34:56.123456789', '25:00:00']],
])('%s in CSV and in JSON', async (type, right, wrong) => {
  const values = [...right, ...wrong]
  project.write('data/v.csv', `id,v\n${values.map((value, id) => `${id},${value}\n`).join('')}`)
  project.write('data/v.ndjson', values.map((v, id) => `${JSON.stringify({ id, v })}\n`).join(''))
  for (const resource of ['v.csv', 'v.ndjson']) {
    const { rows, rejects } = await load(
      project,
      `ingest: {type: file, endpoint: ./data, resource: ${resource}}\ncontract: {columns: {v: "${type}"}}`,
    )
    const lost = (rows[''] ?? []).flatMap(({ v }, index) => (v === null ? [values[index]] : []))
    expect(lost).toEqual(wrong)
    expect(rejects.map(({ raw }) => JSON.parse(String(raw)))).toEqual(wrong)
  }
})
