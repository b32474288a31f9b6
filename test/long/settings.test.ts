/** Every key of the schema that names something, with names in all spellings: nothing is passed over in silence. */
import { afterAll, describe, expect, test } from 'vitest'
import { figure } from '../support/figure.ts'
import { isTried, lookedUpKeys } from '../support/setting-names.ts'
import { isWritten, silentOnes, spellings } from '../support/setting-outcomes.ts'
import { closeServer, places } from '../support/setting-places.ts'

const silent: string[] = []
let tried = 0

describe('names in settings', () => {
  test.each(places.map(place => [place.path, place] as const))('%s', async (_, place) => {
    const found = await silentOnes(place)
    tried += spellings.filter(each => isWritten(place, each)).length
    silent.push(...found)
    expect(found).toEqual([])
  })
})

afterAll(async () => {
  await closeServer()
  const keys = lookedUpKeys()
  const shown = keys.filter(isTried)
  figure(
    'settings',
    `${tried} names in ${places.length} places, ${shown.length} of ${keys.length} keys, ${silent.length} silent`,
  )
})
