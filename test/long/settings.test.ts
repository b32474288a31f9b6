/** Every key of the schema that names something, with names in all spellings: nothing is passed over in silence. */
import { afterAll, describe, expect, test } from 'vitest'
import { figure } from '../support/figure.ts'
import { lookedUpKeys, places, shows, silentOnes, spellings } from '../support/setting-names.ts'

const silent: string[] = []
let tried = 0

describe('names in settings', () => {
  test.each(places.map(place => [place.path, place] as const))('%s', async (_, place) => {
    const found = await silentOnes(place)
    tried += spellings.length - (place.isList === true ? 0 : 1)
    silent.push(...found)
    expect(found).toEqual([])
  })
})

afterAll(() => {
  const keys = lookedUpKeys()
  const shown = keys.filter(({ path }) => places.some(place => shows(place, path)))
  figure(
    'settings',
    `${tried} names in ${places.length} places, ${shown.length} of ${keys.length} keys, ${silent.length} silent`,
  )
})
