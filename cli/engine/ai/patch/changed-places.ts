/** Finds what differs between the values of a file before and after a patch, however it was written. */
import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '@svc/server/language'

/**
 * Returns the JSON Pointers of all values that were added, removed or changed, as deep as mappings go; a list
 * counts as one value. A mapping that is new or gone gives a pointer for each value in it.
 */
export function changedPlaces(before: unknown, after: unknown, at = ''): string[] {
  if (isDeepStrictEqual(before, after)) return []
  const [old, now] = [before, after].map(value => (isRecord(value) ? value : undefined))
  const isLeaf = (old === undefined && now === undefined) || at.split('/').length > 20
  if (isLeaf) return [at]
  const names = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])]
  const below = names.flatMap(name => changedPlaces(old?.[name], now?.[name], `${at}/${escaped(name)}`))
  // A mapping in the place of something else, or the other way round.
  const replaces = (old === undefined && before !== undefined) || (now === undefined && after !== undefined)
  return below.length === 0 || replaces ? [at, ...below] : below
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Returns whether a place is that of the prefix or below it. */
export function isBelow(place: string, prefix: string): boolean {
  return place === prefix || place.startsWith(`${prefix}/`)
}
