/** Renders what `svc discover` found: the files and their columns, or with --no-write the text alone. */
import type { Discovery } from '../engine/discover/discover.ts'
import type { DiscoveredAsset } from '../engine/discover/look.ts'
import { countOf } from './numbers.ts'
import type { Style } from './style.ts'
import { wrap } from './width.ts'

export interface ShownDiscovery extends Discovery {
  /** The path of each asset's file. */
  readonly places: readonly string[]
  readonly isWritten: boolean
}

export function renderDiscovery(found: ShownDiscovery, style: Style): string[] {
  if (!found.isWritten) {
    return found.assets.flatMap(({ text }, index) => [
      ...(found.assets.length === 1 ? [] : [style.dim(`# ${found.places[index]}`)]),
      ...text.trimEnd().split('\n'),
    ])
  }
  const files = found.assets.flatMap((asset, index) => fileLines(asset, found.places[index] ?? '', style))
  return [...files, '', ...secretLines(found, style), nextLine(found)]
}

function fileLines(asset: DiscoveredAsset, path: string, style: Style): string[] {
  const { columns, primaryKey, more, loginOf } = asset
  const personal = columns.filter(({ isPersonal }) => isPersonal).map(({ name }) => name)
  const facts = [
    countOf(columns.length, 'column'),
    ...(primaryKey.length === 0 ? [] : [`key ${primaryKey.join(', ')}`]),
    ...(loginOf === undefined ? [] : [`signed in as ${loginOf} is`]),
    ...(personal.length === 0 ? [] : [`probably personal: ${personal.join(', ')}`]),
  ].join('; ')
  const lines = wrap(facts, style.width - 4)
  const left = more === undefined ? [] : wrap(moreInWords(more), style.width - 4)
  return [
    `${style.green('✓')} Wrote ${path}`,
    ...lines.map(line => `    ${style.dim(line)}`),
    ...left.map(line => `    ${style.yellow(line)}`),
  ]
}

function moreInWords(more: string): string {
  return `The first page says that there is more (${more}), and not how to ask for it: say it with paginate in the file.`
}

/** The files read their secrets from variables that have to be set before a run. */
function secretLines({ unset }: ShownDiscovery, style: Style): string[] {
  if (unset.length === 0) return []
  const [what, are] = unset.length === 1 ? ['The secret', 'is'] : ['The secrets', 'are']
  return [
    ...wrap(
      `${what} of the address ${are} not in the file: set ${unset.join(' and ')} before a run.`,
      style.width,
    ),
    '',
  ]
}

function nextLine({ assets }: ShownDiscovery): string {
  const [only, ...others] = assets
  return `Next: svc validate, then svc run${only !== undefined && others.length === 0 ? ` ${only.name}` : ' --all'}`
}
