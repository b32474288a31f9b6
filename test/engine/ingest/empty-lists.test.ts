/** A list that is empty in every record stays the child table that earlier loads made of it. */
import { readSourceShapes } from '@svc/server/catalog'
import { formatSchemaLock } from '@svc/server/language'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { projectOf } from '../../support/spec-project.ts'
import { load, type Project, temporaryProject } from './fetching.ts'

const ingest = 'ingest: {type: file, endpoint: data, resource: o.json}'
const full = '[{"id": 1, "lines": [{"sku": "a", "at": {"qty": 2}, "subs": [{"z": 1.5}]}]}]'

let project: Project
beforeAll(() => {
  project = temporaryProject()
})
afterAll(() => project.remove())

const loadOf = async (records: string, previous: Awaited<ReturnType<typeof first>> | undefined) => {
  project.write('data/o.json', records)
  return await load(project, ingest, previous === undefined ? {} : { previous, known: previous })
}
const first = async () => {
  project.write('data/o.json', full)
  return (await load(project, ingest)).fetched.tables.map(({ shape }) => shape)
}

const columns = {
  '': ['_svc_id VARCHAR', 'id BIGINT'],
  lines: ['_svc_id VARCHAR', '_svc_parent_id VARCHAR', '_svc_idx BIGINT', 'sku VARCHAR', 'at__qty BIGINT'],
  lines__subs: ['_svc_parent_id VARCHAR', '_svc_idx BIGINT', 'z DOUBLE'],
}

it.each([
  ['is empty', '[{"id": 1, "lines": []}, {"id": 2, "lines": []}]'],
  ['is NULL', '[{"id": 1, "lines": null}]'],
  ['is empty or NULL', '[{"id": 1, "lines": null}, {"id": 2, "lines": []}]'],
  ['has empty objects', '[{"id": 1, "lines": [{}]}]'],
  ['has an empty list in it', '[{"id": 1, "lines": [{"sku": "b", "at": {"qty": 1}, "subs": []}]}]'],
])('%s', async (_what, records) => {
  const previous = await first()
  const { fetched, columns: found, rows } = await loadOf(records, previous)
  expect(found).toEqual(columns)
  expect(fetched.drift).toEqual([])
  expect(rows['lines__subs']).toEqual([])
  const files = new Map([['models/o.svc', `name: o\n${ingest}\ntransform: SELECT id FROM {{ source }}\n`]])
  const lockText = formatSchemaLock(new Map([['o', previous]]))
  const { shapes } = await readSourceShapes(projectOf(files), { root: project.root, lockText })
  expect(
    shapes.get('o')?.map(({ child, columns: own }) => [child ?? '', own.map(({ name }) => name)]),
  ).toEqual(Object.entries(columns).map(([child, own]) => [child, own.map(text => text.split(' ')[0])]))
})

it('is a value of its record where nothing is known of its objects', async () => {
  const { columns: found } = await loadOf('[{"id": 1, "lines": []}]', undefined)
  expect(Object.keys(found)).toEqual([''])
})
