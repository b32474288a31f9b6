/** A declared primary key identifies each record of a load. */
import { describe, expect, it } from 'vitest'
import { fetchOnly, load, temporaryProject } from './fetching.ts'
import { ids } from './rest-fetching.ts'

const project = temporaryProject()

const rows = (list: string, more = 'primary_key: id') => `ingest:\n  type: rows\n  rows: ${list}\n  ${more}`

describe('a primary key that comes twice', () => {
  it('with the same record is loaded once, and said', async () => {
    const list = '[{id: 1, tags: [{t: a}]}, {id: 2, tags: []}, {id: 1, tags: [{t: a}]}]'
    const { rows: loaded, warnings, fetched } = await load(project, rows(list))
    expect(ids(loaded[''])?.sort()).toEqual([1, 2])
    expect(loaded['tags']?.length).toBe(1)
    expect(fetched.rows).toBe(2)
    expect(warnings).toMatchObject([
      {
        code: 'equal-records',
        count: 1,
        message: 'a record that came twice is loaded once (primary_key)',
      },
    ])
  })

  it.each([
    ['a column', '[{id: 1, a: x}, {id: 2, a: x}, {id: 1, a: y}]', 'once, first id = 1'],
    [
      'a column that is called record',
      '[{id: 1, record: a, v: 1}, {id: 2, record: a, v: 1}, {id: 1, record: a, v: 2}]',
      'once, first id = 1',
    ],
    ['a child row', '[{id: 1, c: [{t: a}]}, {id: 1, c: [{t: b}]}]', 'once, first id = 1'],
    ['no key at all', '[{id: null, a: x}, {id: null, a: y}, {id: 3, a: z}]', 'once, first id = NULL'],
    [
      'several keys',
      '[{id: 3, a: x}, {id: 2, a: x}, {id: 3, a: y}, {id: 2, a: y}]',
      'for 2 keys, first id = 2',
    ],
  ])('with another record (%s) is an error', async (_what, list, said) => {
    await expect(fetchOnly(project, rows(list))).rejects.toMatchObject({
      code: 'duplicate-key',
      message: `the primary key "id" comes with different records ${said}`,
    })
  })

  it('shows no value of a personal column', async () => {
    const contract = 'contract: {columns: {id: {pii: true}}}'
    await expect(
      fetchOnly(project, `${rows('[{id: 77, a: 1}, {id: 77, a: 2}]')}\n${contract}`),
    ).rejects.toMatchObject({ message: 'the primary key "id" comes with different records once' })
  })

  it('may consist of several columns', async () => {
    const list = '[{a: 1, b: 1, n: 1}, {a: 1, b: 2, n: 2}, {a: 2, b: 1, n: 3}, {a: 2, b: 1, n: 3}]'
    const { rows: loaded } = await load(project, rows(list, 'primary_key: [a, b]'))
    expect(loaded['']?.map(row => Number(row['n'])).sort()).toEqual([1, 2, 3])
  })

  it('is counted with what the contract checks', async () => {
    const contract = 'contract: {columns: {id: bigint, n: bigint}}'
    const twice = '[{id: "1", n: "5"}, {id: "1", n: "5"}, {id: "2", n: "6"}]'
    const { rows: loaded, warnings } = await load(project, `${rows(twice)}\n${contract}`)
    expect(ids(loaded[''])?.sort()).toEqual([1, 2])
    expect(warnings).toMatchObject([
      {
        code: 'equal-records',
        count: 1,
        message: 'a record that came twice is loaded once (primary_key)',
      },
    ])
    const different = '[{id: "1", n: "5"}, {id: "01", n: "6"}]'
    await expect(fetchOnly(project, `${rows(different)}\n${contract}`)).rejects.toMatchObject({
      code: 'duplicate-key',
    })
  })

  it('counts only the records that the contract lets in', async () => {
    const list = '[{id: 1, n: 1}, {id: 1, n: x}, {id: 2, n: 2}]'
    const contract = 'contract: {evolution: {types: discard_row}, columns: {n: bigint}}'
    const { rows: loaded } = await load(project, `${rows(list)}\n${contract}`)
    expect(ids(loaded[''])).toEqual([1, 2])
  })

  it('in files is an error too', async () => {
    project.write('data/a.csv', 'id,v\n1,a\n2,b\n1,c\n')
    const ingest = 'ingest: {type: file, endpoint: ./data, resource: a.csv, primary_key: id}'
    await expect(fetchOnly(project, ingest)).rejects.toMatchObject({ code: 'duplicate-key' })
  })
})
