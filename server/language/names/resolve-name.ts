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

type Names = Pick<Engine, 'sameName' | 'grammar'>

/**
 * Returns what `wanted` names: by its name at the source, by its name in the warehouse, by the name in the warehouse
 * that a source's spelling becomes, and by what the engine folds, in this order.
 */
export function resolveName<T>(
  wanted: string,
  items: readonly T[],
  spellingOf: (item: T) => Spelling,
  { sameName, grammar }: Names,
): T | undefined {
  const plain = grammar.plainName(wanted)
  const warehouse = warehouseSpellings(wanted)
  const ways: readonly ((spelling: Spelling) => boolean)[] = [
    ({ source }) => source === wanted,
    ({ name }) => name === wanted,
    ({ name }) => sameName(name, wanted),
    ({ name }) => warehouse.includes(name),
    ({ name }) => sameName(name, plain),
    ({ source }) => source !== undefined && (sameName(source, wanted) || sameName(source, plain)),
  ]
  if (wanted === '') return undefined
  for (const isIt of ways) {
    const found = items.find(item => isIt(spellingOf(item)))
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the names of the warehouse that a spelling may become: a path is one name with `__` between its steps. */
export function warehouseSpellings(wanted: string): readonly string[] {
  return [toSnakeCase(wanted), warehouseSpelling(wanted)]
}

/** The same where a dot parts the steps of a path. */
export function warehouseSpelling(path: string): string {
  return path.split(/\.|__/).map(toSnakeCase).join('__')
}
