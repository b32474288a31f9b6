/**
 * Finds the records in the response of an undescribed API: a list with a common name within three levels,
 * else the shallowest list of objects, else the whole response as one record. It reads the structure only.
 */
import { decodeUtf8, JsonProblem, JsonScanner } from './json-scanner.ts'

const usualNames = [
  'data',
  'items',
  'results',
  'result',
  'records',
  'rows',
  'entries',
  'entities',
  'features',
  'content',
  'objects',
  'payload',
  'value',
  'values',
  'list',
  'hits',
  'docs',
]

/** Names of lists that accompany the records. */
const neverRecords = [
  'error',
  'errors',
  'warnings',
  'included',
  'link',
  'links',
  '_links',
  'meta',
  'messages',
  'facets',
]

interface FoundList {
  readonly path: readonly string[]
  readonly holds: 'objects' | 'nothing' | 'other'
}

const maxLevels = 3

/**
 * Returns the path of the records in a complete JSON text. `bytes[end]` must be 0. Throws JsonProblem if the
 * text is not JSON. An empty path is the text itself: a list, or one object.
 */
export function findRecordsPath(bytes: Uint8Array, end: number, mostLevels?: number): readonly string[] {
  const lists = listsOf(bytes, end, new JsonScanner(mostLevels))
  const best = lists
    .filter(list => list.holds !== 'other' && !neverRecords.includes(list.path.at(-1)?.toLowerCase() ?? ''))
    .map((list, order) => ({ list, rank: rank(list), order }))
    .sort((a, b) => a.rank - b.rank || a.order - b.order)[0]
  return best?.list.path ?? []
}

/** Ranks a list, lower is better: a common name, then objects before empty lists, then near the top. */
function rank(list: FoundList): number {
  const name = list.path.at(-1)
  const depth = list.path.length
  if (name === undefined) return -1
  const usual = usualNames.indexOf(name.toLowerCase())
  if (usual >= 0) return depth * 100 + usual
  return (list.holds === 'objects' ? 1000 : 2000) + depth * 100
}

function listsOf(bytes: Uint8Array, end: number, scanner: JsonScanner): FoundList[] {
  scanner.use(bytes, end, true)
  const lists: FoundList[] = []
  const start = scanner.skipSpace(bytes[0] === 0xef ? 3 : 0)
  if (bytes[start] === 91) return [{ path: [], holds: 'objects' }]
  const rest = scanner.skipSpace(walk(start, []))
  if (rest < end) throw new JsonProblem('there is more text after the end of the JSON', rest)
  return lists

  function walk(at: number, path: readonly string[]): number {
    if (bytes[at] === 91) {
      const first = bytes[scanner.skipSpace(at + 1)]
      lists.push({ path, holds: first === 123 ? 'objects' : first === 93 ? 'nothing' : 'other' })
    }
    // Some servers return null instead of an empty list.
    if (bytes[at] === 110 && usualNames.includes(path.at(-1)?.toLowerCase() ?? ''))
      lists.push({ path, holds: 'nothing' })
    if (bytes[at] !== 123 || path.length >= maxLevels) return scanner.value(at, undefined, 0)
    return walkMembers(scanner.skipSpace(at + 1), path)
  }

  function walkMembers(start: number, path: readonly string[]): number {
    let at = start
    while (bytes[at] !== 125) {
      const keyEnd = scanner.string(at)
      const key = JSON.parse(decodeUtf8(bytes.subarray(at, keyEnd))) as string
      const colon = scanner.skipSpace(keyEnd)
      if (bytes[colon] !== 58) scanner.unexpected(colon)
      at = scanner.skipSpace(walk(scanner.skipSpace(colon + 1), [...path, key]))
      if (bytes[at] === 44) at = scanner.skipSpace(at + 1)
      else if (bytes[at] !== 125) scanner.unexpected(at)
    }
    return at + 1
  }
}
