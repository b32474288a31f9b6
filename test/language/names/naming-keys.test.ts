import { expect, it } from 'vitest'
import { namingKeys } from '../../../server/language/names/naming-keys.ts'
import { assetShape } from '../../../server/language/schema/asset-schema.ts'
import { glossaryShape } from '../../../server/language/schema/glossary-schema.ts'
import { settingsShape } from '../../../server/language/schema/settings-schema.ts'

/** A key without it would be looked up by nobody, or by whoever thinks of it. */
it.each([
  ['an asset', assetShape],
  ['svc.yaml', settingsShape],
  ['glossary.yaml', glossaryShape],
])('every text in %s says what it names, or that it is a text', (_, { keys }) => {
  expect(
    namingKeys(keys)
      .filter(({ names }) => names === undefined)
      .map(({ path, part }) => `${part} ${path}`),
  ).toEqual([])
})
