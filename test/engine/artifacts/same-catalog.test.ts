/** The times of a run that changed nothing are put into the catalogue that is there. */
import { expect, it } from 'vitest'
import { withRunTimes } from '../../../cli/engine/artifacts/same-catalog.ts'
import { toJson } from '../../../cli/engine/artifacts/write-file.ts'

const asset = (name: string, status: string, last_run: string | null, seconds: number | null) => ({
  name,
  description: 'says "status": "old",\n      "last_run": "é 🙂",\n      "seconds": 1,',
  tests: [{ name: 'unique_id', status: 'pass', execution_time: 0.1 }],
  status,
  last_run,
  seconds,
  loaded_at: last_run,
  rows: 3,
})

const catalog = {
  version: 1,
  generated_at: '2026-01-01T00:00:00.000Z',
  project: { name: 'shop' },
  assets: [asset('a', 'Failed', '2026-01-01T00:00:00.000Z', 1.5), asset('b', 'deployed', null, null)],
  exposures: [{ name: 'sheet', asset: 'a', type: 'dashboard' }],
}

const times = { at: '2026-02-02T00:00:02.000Z', finishedAt: '2026-02-02T00:00:01.000Z' }

function renewed(value: unknown, assets: number): string | undefined {
  const parts = withRunTimes(Buffer.from(toJson(value)), { ...times, assets })
  return parts && Buffer.concat(parts).toString()
}

it('is as if it were made anew', () => {
  const anew = {
    ...catalog,
    generated_at: times.at,
    assets: catalog.assets.map(({ name }) => asset(name, 'deployed', times.finishedAt, null)),
  }
  expect(renewed(catalog, 2)).toBe(toJson(anew))
})

it('is renewed again by the next such run', () => {
  const before = renewed(catalog, 2) ?? ''
  const later = { at: '2026-03-03T00:00:02.000Z', finishedAt: '2026-03-03T00:00:01.000Z', assets: 2 }
  const parts = withRunTimes(Buffer.from(before), later) ?? []
  const expected = before.replaceAll(times.at, later.at).replaceAll(times.finishedAt, later.finishedAt)
  expect(Buffer.concat(parts).toString()).toBe(expected)
  expect(parts).toHaveLength(1)
})

it('is made anew where an asset had failed: its reason goes', () => {
  const [first, second] = catalog.assets
  const failure = { message: 'no column', hint: null, place: null, text_hash: null }
  const { rows, ...known } = first ?? { rows: 0 }
  expect(renewed({ ...catalog, assets: [{ ...known, failure, rows }, second] }, 2)).toBeUndefined()
})

it('is not guessed from a file that looks otherwise', () => {
  expect(renewed(catalog, 3)).toBeUndefined()
  expect(renewed({ assets: [] }, 0)).toBeUndefined()
  expect(
    renewed(
      { ...catalog, assets: [{ status: 'deployed', seconds: null, last_run: null, loaded_at: null }] },
      1,
    ),
  ).toBe(undefined)
})
