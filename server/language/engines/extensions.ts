/** Extensions of any engine: which of them has a name, and messages with the terms of the engines that have them. */
import { once } from '../once.ts'
import type { Engine, EngineExtensions } from './engine.ts'

/** The names of functions or types by extension, with spaces between them. */
type NameLists = Readonly<Record<string, string>>

/** Finds extensions by what is theirs; the lists are taken apart when they are first asked. */
export function extensionNames(
  functions: NameLists,
  types: NameLists,
): Pick<EngineExtensions, 'knows' | 'ofFunction' | 'ofType'> {
  const byFunction = once(() => byName(functions))
  const byType = once(() => byName(types))
  return {
    knows: name => Object.hasOwn(functions, name) || Object.hasOwn(types, name),
    ofFunction: name => byFunction().get(name.toLowerCase()),
    ofType: name => byType().get(name.toLowerCase()),
  }
}

function byName(lists: NameLists): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(lists).flatMap(([extension, names]) =>
      names.split(' ').map(name => [name, extension] as const),
    ),
  )
}

/** Returns the hint. `listed` has the extensions that svc.yaml lists already. */
export function extensionHint({ label }: Engine, extension: string, listed: readonly string[]): string {
  const list = [...listed, extension].join(', ')
  return `it is in ${label}'s extension ${extension}: add \`extensions: [${list}]\` to svc.yaml`
}

/** Lists the engines that have extensions, for a sentence; `native`: those whose extensions are native code of this machine. */
export function extensibleEngines(engines: readonly Engine[], which: 'all' | 'native' = 'all'): string {
  return engines
    .filter(({ extensions }) => extensions !== undefined)
    .filter(({ extensions }) => which === 'all' || extensions?.fileEnding !== undefined)
    .map(({ label }) => label)
    .join(' or ')
}
