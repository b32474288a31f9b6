/**
 * The one place that finds what a setting names. A name may be written as the source spells it, as the warehouse
 * spells it, or in any way that the engine reads as the same name; whoever asks gets the same answer everywhere.
 */
import type { Engine } from '../engines/engine.ts'
import { toSnakeCase } from '../source/snake-case.ts'

/** The spellings of one thing. */
export interface Spelling {
  /** In the warehouse. */
  readonly name: string
  /** At the source; undefined where nothing says it. */
  readonly source?: string | undefined
}

type Names = Pick<Engine, 'fold' | 'grammar'>

/**
 * Returns what `wanted` names: by its name at the source, by its name in the warehouse, by the name in the warehouse
 * that a source's spelling becomes, and by what the engine folds, in this order.
 */
export function resolveName<T>(
  wanted: string,
  items: readonly T[],
  spellingOf: (item: T) => Spelling,
  engine: Names,
): T | undefined {
  return resolverOf(items, spellingOf, engine)(wanted)
}

/** As `resolveName`, for many names of the same items: the spellings of thousands of columns are worked out once. */
export function resolverOf<T>(
  items: readonly T[],
  spellingOf: (item: T) => Spelling,
  { fold, grammar }: Names,
): (wanted: string) => T | undefined {
  const bySource = new Map<string, number>()
  const byName = new Map<string, number>()
  const byFoldedSource = new Map<string, number>()
  const byFoldedName = new Map<string, number>()
  for (const [place, item] of items.entries()) {
    const { name, source } = spellingOf(item)
    setFirst(byName, name, place)
    setFirst(byFoldedName, fold(name), place)
    if (source === undefined) continue
    setFirst(bySource, source, place)
    setFirst(byFoldedSource, fold(source), place)
  }
  return wanted => {
    if (wanted === '') return undefined
    const plain = fold(grammar.plainName(wanted))
    const place =
      bySource.get(wanted) ??
      byName.get(wanted) ??
      byFoldedName.get(fold(wanted)) ??
      firstOf(byName, warehouseSpellings(wanted)) ??
      byFoldedName.get(plain) ??
      firstOf(byFoldedSource, [fold(wanted), plain])
    return place === undefined ? undefined : items[place]
  }
}

function setFirst(places: Map<string, number>, key: string, place: number): void {
  if (!places.has(key)) places.set(key, place)
}

/** Returns the place of the first item that has any of the keys. */
function firstOf(places: ReadonlyMap<string, number>, keys: readonly string[]): number | undefined {
  const found = keys.flatMap(key => places.get(key) ?? [])
  return found.length === 0 ? undefined : Math.min(...found)
}

/** Returns whether any of these names means something that is spelt so, as `resolveName` finds it. */
export function meantByAny(
  names: readonly string[],
  { fold, grammar }: Names,
): (spelling: Spelling) => boolean {
  const wanted = names.filter(name => name !== '')
  const exact = new Set(wanted)
  const spellings = new Set(wanted.flatMap(warehouseSpellings))
  const folded = new Set(wanted.flatMap(name => [fold(name), fold(grammar.plainName(name))]))
  return ({ name, source }) =>
    spellings.has(name) ||
    folded.has(fold(name)) ||
    (source !== undefined && (exact.has(source) || folded.has(fold(source))))
}

/** Returns the names of the warehouse that a spelling may become: a path is one name with `__` between its steps. */
export function warehouseSpellings(wanted: string): readonly string[] {
  return [toSnakeCase(wanted), warehouseSpelling(wanted)]
}

/** The same where a dot parts the steps of a path. */
export function warehouseSpelling(path: string): string {
  return path.split(/\.|__/).map(toSnakeCase).join('__')
}
