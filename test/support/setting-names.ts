/**
 * The keys of the schema whose names svc looks up, and which of them have a place in `setting-places.ts`; the kinds of what
 * svc cannot look up are in `outside`.
 */
import type { NameKind } from '../../server/language/names/name-kinds.ts'
import { type NamingKey, namingKeys } from '../../server/language/names/naming-keys.ts'
import { assetShape } from '../../server/language/schema/asset-schema.ts'
import { glossaryShape } from '../../server/language/schema/glossary-schema.ts'
import { settingsShape } from '../../server/language/schema/settings-schema.ts'
import { type Place, places } from './setting-places.ts'

/** Nothing to look up: the value is free, is made here, or only somebody else knows it; a run says what does not work. */
export const outside: readonly NameKind[] = [
  'text',
  'new name',
  'request name',
  'field of a destination',
  'secret',
  'address',
  'host',
  'status',
  'schema',
  'tablespace',
  'engine setting',
  'table',
  'file',
  'answer path',
  'answer header',
]

/** The keys that name something that svc can look up, by the path in the file. */
export function lookedUpKeys(): readonly NamingKey[] {
  return [assetShape, settingsShape, glossaryShape].flatMap(({ keys }) => namingKeys(keys).filter(isLookedUp))
}

function isLookedUp({ names }: NamingKey): boolean {
  return names !== undefined && !outside.includes(names)
}

/** Whether the long test has a place for the key, or for the same key of another type. */
export function isTried(key: NamingKey): boolean {
  return isLookedUp(key) && places.some(place => shows(place, key.path))
}

/** Variants of one key, and what `defaults` has of an asset, are read by one reader. */
function shows(place: Place, path: string): boolean {
  const plain = (text: string) => text.replace(/\(\w+\)/g, '').replace(/^defaults\.<pattern>\./, '')
  return plain(place.path) === plain(path)
}
