/** Files with many columns, many layouts and long lines: cost grows with what is in them, not with its square. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fetchOnly, load, type Project, temporaryProject } from './fetching.ts'

let project: Project
beforeAll(() => {
  project = temporaryProject()
})
afterAll(() => project.remove())

const file = (resource: string) => `ingest: {type: file, endpoint: data, resource: "${resource}"}`

async function cpuSeconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

function wide(columns: number): string {
  const line = (value: (index: number) => unknown) =>
    Array.from({ length: columns }, (_, index) => value(index)).join(',')
  return [
    line(index => `c${index}`),
    ...Array.from({ length: 50 }, (_, row) => line(index => row * index)),
  ].join('\n')
}

describe('a CSV file', () => {
  it('of four times the columns takes about four times as long to fetch', async () => {
    project.write('data/w300.csv', wide(300))
    project.write('data/w1200.csv', wide(1200))
    await fetchOnly(project, file('w300.csv'))
    const small = await cpuSeconds(() => fetchOnly(project, file('w300.csv')))
    const large = await cpuSeconds(() => fetchOnly(project, file('w1200.csv')))
    expect(large).toBeLessThan(6 * small + 0.5)
  })
})

describe('records of hundreds of keys of which one is read', () => {
  const records = [0, 1, 2].map(row =>
    JSON.stringify(
      Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`c${index}`, `${row}-${index}`])),
    ),
  )

  it.each(['ndjson', 'json'])('%s', async kind => {
    project.write(`data/one.${kind}`, kind === 'json' ? `[${records.join(',')}]` : records.join('\n'))
    const one = `ingest: {type: file, endpoint: data, resource: one.${kind}`
    expect((await load(project, `${one}, include: [c7]}`)).rows['']).toEqual([
      { c7: '0-7' },
      { c7: '1-7' },
      { c7: '2-7' },
    ])
    const keyed = await load(project, `${one}, primary_key: c0}`)
    expect(keyed.rows['']?.map(({ c0 }) => c0)).toEqual(['0-0', '1-0', '2-0'])
    project.write(
      `data/one.${kind}`,
      kind === 'json' ? `[${records.join(',')},${records[1]}]` : [...records, records[1]].join('\n'),
    )
    const twice = await load(project, `${one}, primary_key: c0}`)
    expect(twice.rows['']).toHaveLength(3)
    expect(twice.warnings).toMatchObject([{ code: 'equal-records', count: 1 }])
  })
})

describe('files with columns of their own', () => {
  it('are one table: of CSV', async () => {
    for (let index = 0; index < 400; index++)
      project.write(`data/months/m${index}.csv`, `id,m${index}\n${index},${index}.5\n`)
    const seconds = await cpuSeconds(async () => {
      const { rows, columns } = await load(project, file('months/*.csv'))
      expect(columns['']).toHaveLength(401)
      expect(rows['']).toHaveLength(400)
      expect(rows['']?.find(({ id }) => id === '7')).toMatchObject({ m7: 7.5, m8: null })
    })
    expect(seconds).toBeLessThan(10)
  })

  it('are one table: of JSON', async () => {
    for (let index = 0; index < 800; index++)
      project.write(`data/sensors/s${index}.json`, `[{"id": ${index}, "s${index}": 1.5}]`)
    const seconds = await cpuSeconds(async () => {
      const { rows, columns } = await load(project, file('sensors/*.json'))
      expect(columns['']).toHaveLength(801)
      expect(rows['']).toHaveLength(800)
    })
    expect(seconds).toBeLessThan(12)
  })
})

it('a record longer than limits.record is named by its line', async () => {
  project.write('data/long.csv', `a,b\n1,x\n2,${'y'.repeat(3_000_000)}\n`)
  await expect(
    fetchOnly(project, 'ingest: {type: file, endpoint: data, resource: long.csv, limits: {record: 2MB}}'),
  ).rejects.toMatchObject({ message: expect.stringContaining('line 3: the record has') as string })
})
