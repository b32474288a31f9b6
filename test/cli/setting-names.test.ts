/** A sample of `test/long/settings.test.ts`: names in settings are found in each spelling, or it is told. */
import { expect, test } from 'vitest'
import { places, type Spelling, silentOnes } from '../support/setting-names.ts'

const sample: readonly [path: string, spellings: readonly Spelling[]][] = [
  ['ingest(file).mask.<column>', ['source', 'misspelt']],
  ['contract.tables.<child table>', ['letters', 'other']],
  ['environments.<environment>.vars.<variable>', ['misspelt']],
]

test.each(sample)('%s: %s', async (path, spellings) => {
  const place = places.find(each => each.path === path)
  expect(place && (await silentOnes(place, spellings))).toEqual([])
})
