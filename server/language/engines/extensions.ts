/** Messages about extensions, with the terms of the engines that have them. */
import type { Engine } from './engine.ts'

/** Returns the hint. `listed` has the extensions that svc.yaml lists already. */
export function extensionHint({ label }: Engine, extension: string, listed: readonly string[]): string {
  const list = [...listed, extension].join(', ')
  return `it is in ${label}'s extension ${extension}: add \`extensions: [${list}]\` to svc.yaml`
}

/** Lists the engines that have extensions, for a sentence. */
export function extensibleEngines(engines: readonly Engine[]): string {
  return engines
    .filter(({ extensions }) => extensions !== undefined)
    .map(({ label }) => label)
    .join(' or ')
}
