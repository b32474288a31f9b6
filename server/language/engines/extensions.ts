/** What is said of extensions, in the words of the engines that have any. */
import type { Engine } from './engine.ts'

/** `listed`: what `extensions` in svc.yaml names already. */
export function extensionHint({ label }: Engine, extension: string, listed: readonly string[]): string {
  const list = [...listed, extension].join(', ')
  return `it is in ${label}'s extension ${extension}: add \`extensions: [${list}]\` to svc.yaml`
}

/** The engines that have extensions, as they stand in a sentence. */
export function extensibleEngines(engines: readonly Engine[]): string {
  return engines
    .filter(({ extensions }) => extensions !== undefined)
    .map(({ label }) => label)
    .join(' or ')
}
