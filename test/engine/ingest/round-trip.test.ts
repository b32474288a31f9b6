import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Random, seededRandom } from '../../support/random.ts'
import { type Loaded, load, type Project, temporaryProject } from './fetching.ts'

/** Random records, loaded and read back: every value is there, as itself or as the text of its JSON. */

let project: Project
beforeAll(() => {
  project = temporaryProject()
})
afterAll(() => project.remove())

type Row = Readonly<Record<string, unknown>>

function randomScalar(random: Random, mixed: boolean): unknown {
  const kind = mixed ? random.below(5) : 1
  if (kind === 0) return random.pick(['', 'text', 'é😀', '"quoted"', '{"a":1}', 'null', '2024-01-01', '007'])
  if (kind === 1) return random.pick([0, 1, -5, 123456789012])
  if (kind === 2) return random.pick([0.5, -1e-7, 1e300])
  return kind === 3 ? random.pick([true, false]) : null
}

function randomValue(random: Random, depth: number, mixed: boolean): unknown {
  const kind = random.below(depth < 3 ? 6 : 3)
  if (kind <= 2) return randomScalar(random, mixed)
  if (kind === 3) return randomRecord(random, depth + 1, mixed)
  const length = random.below(4)
  if (kind === 4) return Array.from({ length }, () => randomScalar(random, mixed))
  return Array.from({ length }, () => randomRecord(random, depth + 1, mixed))
}

/** Without `mixed`, a key always holds the same kind of value. */
function randomRecord(random: Random, depth: number, mixed: boolean): Row {
  const keys = ['alpha', 'beta', 'gamma', 'delta'].filter(() => random.below(3) > 0)
  return Object.fromEntries(
    keys.map(key => {
      if (mixed) return [key, randomValue(random, depth, true)]
      if (key === 'alpha' || depth > 2) return [key, random.pick([1, 2, 3, null])]
      if (key === 'beta') return [key, random.pick(['x', '', 'é', null])]
      if (key === 'gamma') return [key, randomRecord(random, depth + 1, false)]
      return [key, Array.from({ length: random.below(4) }, () => randomRecord(random, depth + 1, false))]
    }),
  )
}

/** Looks for each value of a record in the row of its table and in the rows of child tables. */
function expectThere(
  record: Row,
  row: Row,
  loaded: Loaded,
  table: string,
  prefix: string,
  place: string,
): void {
  for (const [key, value] of Object.entries(record)) {
    const name = `${prefix}${key}`
    const child = table === '' ? name : `${table}__${name}`
    const where = `${place}.${key}`
    if (name in row) expectSame(row[name], value, where)
    else if (Array.isArray(value) && loaded.rows[child] !== undefined) {
      const children = loaded.rows[child].filter(each => each['_svc_parent_id'] === row['_svc_id'])
      expect(children.length, where).toBe(value.length)
      children.forEach((each, index) => {
        expect(Number(each['_svc_idx']), where).toBe(index)
        expectThere(value[index] as Row, each, loaded, child, '', `${where}[${index}]`)
      })
    } else if (typeof value === 'object' && value !== null) {
      expectThere(value as Row, row, loaded, table, `${name}__`, where)
    } else expect(value, where).toBeNull()
  }
}

function expectSame(found: unknown, value: unknown, where: string): void {
  if (value === null) expect(found, where).toBeNull()
  else if (typeof value === 'number') expect(Number(found), where).toBe(value)
  else if (typeof value === 'boolean') expect(String(found), where).toBe(String(value))
  else if (typeof value === 'string') expect(String(found).replace(' 00:00:00', ''), where).toBe(value)
  else if (Array.isArray(found)) {
    const list = value as readonly unknown[]
    expect(found.length, where).toBe(list.length)
    found.forEach((each, index) => {
      expectSame(each, list[index], where)
    })
  } else expect(JSON.parse(String(found)), where).toEqual(value)
}

it.each([true, false])('every value of random records comes through (mixed: %s)', async mixed => {
  const seed = Number(process.env['SEED'] ?? 99)
  const random = seededRandom(seed)
  for (let round = 0; round < 12; round++) {
    const records = Array.from({ length: 1 + random.below(8) }, (_, id) => ({
      id,
      ...randomRecord(random, 0, mixed),
    }))
    // As lines, as a list, and in an envelope, which takes the way through a spool.
    const texts = {
      'lines.ndjson': records.map(record => JSON.stringify(record)).join('\n'),
      'list.json': JSON.stringify(records, null, 1),
      'envelope.json': JSON.stringify({ n: 1, data: records }),
    }
    for (const [name, text] of Object.entries(texts)) {
      project.write(`data/${name}`, text)
      const key = random.below(2) === 0 ? ', primary_key: id' : ''
      const loaded = await load(project, `ingest: {type: file, endpoint: data, resource: ${name}${key}}`)
      expect(loaded.rows['']?.length).toBe(records.length)
      records.forEach((record, index) => {
        const row = loaded.rows['']?.[index] ?? {}
        expectThere(record, row, loaded, '', '', `seed ${seed} round ${round} ${name} [${index}]`)
      })
    }
  }
})
