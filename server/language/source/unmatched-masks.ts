/**
 * Finds names of `ingest.mask` that nothing answers to: misspelt, they would leave values readable that were to be hidden. A
 * pattern with `*` is a precaution and may match nothing; so may a name that the contract or an earlier load has.
 */
import type { AssetDefinition } from '../schema/definition.ts'
import { newNameIndex } from '../text/name-index.ts'
import { pathPattern } from './path-pattern.ts'
import { withoutLists } from './raw-tables.ts'
import type { RawTable, SourceType } from './source-shape.ts'
import { promisedTables } from './table-contract.ts'

/**
 * `unmatched`: the patterns that match nothing in `type`; `known`: the tables of earlier loads.
 * `name`: as it is written.
 */
export function unmatchedMasks(
  { ingest, contract }: Pick<AssetDefinition, 'ingest' | 'contract'>,
  unmatched: readonly string[],
  type: SourceType,
  known: readonly RawTable[] = [],
) {
  if (ingest.type === 'none') return []
  const promised = promisedTables(contract).flatMap(({ child, columns }) =>
    Object.entries(columns).map(([name, { from }]) => [
      ...(child?.split('__') ?? []),
      ...(from ?? name).split('.'),
    ]),
  )
  const loaded = known.flatMap(({ columns }) => columns.map(({ path }) => withoutLists(path)))
  const expected = [...promised, ...loaded].filter(path => path.length > 0)
  const names = namesIn(type)
  const index = newNameIndex(names)
  return Object.keys(ingest.mask).flatMap(name => {
    if (name.includes('*') || !unmatched.includes(name)) return []
    const pattern = pathPattern(name, ingest.naming)
    if (expected.some(path => pattern.covers(path) || pattern.reachesInto(path))) return []
    const message = `nothing in the source is called "${name}", so ingest.mask hides nothing there`
    const [nearest] = index.nearest(name, 1)
    return [{ name, nearest, message, hint: hintFor(nearest, names) }]
  })
}

function hintFor(nearest: string | undefined, names: readonly string[]): string {
  if (nearest !== undefined) return `did you mean "${nearest}"?`
  const shown = `${names.slice(0, 12).join(', ')}${names.length > 12 ? ', …' : ''}`
  return `It has: ${shown}. Name a column that comes later in contract.columns.`
}

/** Returns the names of all values as masks write them, those of whole records first. */
function namesIn(type: SourceType, path: readonly string[] = []): readonly string[] {
  if (type.kind === 'list') return namesIn(type.element, path)
  if (type.kind !== 'struct') return []
  const own = type.fields.map(field => [...path, field.name].join('.'))
  return [...own, ...type.fields.flatMap(field => namesIn(field.type, [...path, field.name]))]
}
