/** Messages about extensions, with the terms of the engines that have them. */
import type { Engine } from './engine.ts'

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
