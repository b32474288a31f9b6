/** A sample of `test/long/settings.test.ts`: names in settings are found in each spelling, or it is told. */
import { afterAll, expect, test } from 'vitest'
import { isTried, lookedUpKeys } from '../support/setting-names.ts'
import { type Spelling, silentOnes } from '../support/setting-outcomes.ts'
import { closeServer, placeless, places } from '../support/setting-places.ts'

afterAll(closeServer)

const sample: readonly [path: string, spellings: readonly Spelling[]][] = [
  ['ingest(file).mask.<column>', ['source', 'misspelt']],
  ['contract.tables.<child table>', ['letters', 'other']],
  ['environments.<environment>.vars.<variable>', ['misspelt']],
  ['ingest(file).primary_key[]', ['twice']],
  ['ingest(rest_api).for_each.carry[]', ['twice']],
  ['notify.<notifier>(webhook).select', ['misspelt', 'other']],
  ['destinations.<destination>(file).key[]', ['misspelt']],
  ['destinations.<destination>(file).fields.<field>', ['other']],
  ['contract.columns.<column>', ['empty']],
]

test.each(sample)('%s: %s', async (path, spellings) => {
  const place = places.find(each => each.path === path)
  expect(place && (await silentOnes(place, spellings))).toEqual([])
})

test('every key whose names svc looks up has a place in the long test, or a reason to have none', () => {
  const without = lookedUpKeys().filter(key => !isTried(key))
  expect(without.map(({ path }) => path).sort()).toEqual(Object.keys(placeless).sort())
})
