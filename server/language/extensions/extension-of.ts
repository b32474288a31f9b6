/** Which extension of DuckDB has a function or a type that the engine lacks without it. */
import { extensionFunctions, extensionTypes } from './extension-names.generated.ts'

export function extensionOfFunction(name: string): string | undefined {
  functions ??= byName(extensionFunctions)
  return functions.get(name.toLowerCase())
}

export function extensionOfType(name: string): string | undefined {
  types ??= byName(extensionTypes)
  return types.get(name.toLowerCase())
}

/** `listed`: what `extensions` in svc.yaml names already. */
export function extensionHint(extension: string, listed: readonly string[]): string {
  const list = [...listed, extension].join(', ')
  return `it is in DuckDB's extension ${extension}: add \`extensions: [${list}]\` to svc.yaml`
}

let functions: ReadonlyMap<string, string> | undefined
let types: ReadonlyMap<string, string> | undefined

function byName(lists: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(lists).flatMap(([extension, names]) =>
      names.split(' ').map(name => [name, extension] as const),
    ),
  )
}
