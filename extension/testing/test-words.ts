/** How tests are named: to people, and to `svc`. Independent of the editor. */
import type { TestSummary } from '@svc/server/protocol'

export interface ChosenAsset {
  readonly asset: string
  readonly tests: readonly { readonly name: string; readonly kind: string }[]
}

/** Returns the kind of a test as the Test Explorer shows it. */
export function kindText({ kind, severity }: TestSummary): string {
  return severity === 'warn' ? `${kind}, warning` : kind
}

/**
 * Returns one command for all tests of a project. `--test` names one test; if several are chosen, all tests
 * of their assets run, and only the chosen ones are reported. Unit tests alone need no warehouse.
 */
export function testWords(chosen: readonly ChosenAsset[], environment: string): readonly string[] {
  const assets = chosen.map(({ asset }) => asset)
  const [only] = chosen
  const single = chosen.length === 1 && only?.tests.length === 1 ? only.tests[0] : undefined
  const isUnit = chosen.every(({ tests }) => tests.every(({ kind }) => kind === 'unit'))
  return [
    'test',
    assets.join(','),
    ...(single === undefined ? [] : ['--test', single.name]),
    ...(isUnit ? ['--unit'] : ['--all-tests']),
    '--env',
    environment,
  ]
}
