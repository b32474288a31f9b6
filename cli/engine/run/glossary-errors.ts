/** Which errors of `glossary.yaml` stop a run of some assets. */
import {
  type Asset,
  appliesAtDoor,
  appliesTo,
  type Diagnostic,
  type Glossary,
  type Policy,
  type Project,
  targetNames,
} from '@svc/server/language'

/**
 * Returns the assets that an error concerns: in a term, a link, a metric or a dimension those that the record names; a name that
 * a policy misspells, those that it would protect. Any other error may hide a policy, and concerns every asset: undefined.
 */
export function concernedAssets(
  { glossary, byName, settings }: Pick<Project, 'glossary' | 'byName' | 'settings'>,
  diagnostic: Diagnostic,
): readonly string[] | undefined {
  const policies = misspeltPolicies(glossary, diagnostic)
  if (policies !== undefined)
    return [...byName.values()]
      .filter(asset => policies.some(policy => covers(policy, { settings }, asset)))
      .map(({ name }) => name)
  const place = hidesPolicies(glossary, diagnostic) ? undefined : recordAt(glossary, diagnostic)
  if (place === undefined) return undefined
  const { list, index } = place
  if (list === 'links') return glossary.links.filter(link => link.index === index).map(link => link.asset)
  if (list !== 'metrics') return []
  return glossary.metrics.find(metric => metric.index === index)?.sourceAssets ?? []
}

function covers(
  policy: Pick<Policy, 'appliesTo'>,
  project: Pick<Project, 'settings'>,
  asset: Asset,
): boolean {
  const atDoor = (target: string) => appliesAtDoor(policy, project, asset, target)
  return appliesTo(policy, project, asset) || targetNames(asset).some(atDoor)
}

/** Returns the policies as they were probably meant; undefined for another error. */
function misspeltPolicies(
  glossary: Glossary,
  { code, range, suggestions = [] }: Diagnostic,
): readonly Pick<Policy, 'appliesTo'>[] | undefined {
  const place = code === 'policy-without-asset' || code === 'policy-without-column'
  const index = place ? indexIn(glossary, 'policies', range) : -1
  const policy = glossary.policies.find(each => each.index === index)
  if (policy === undefined) return undefined
  return code === 'policy-without-column' ? [policy] : suggestions.map(pattern => ({ appliesTo: [pattern] }))
}

/** Whether the error leaves unknown which policies there are. */
export function hidesPolicies(glossary: Glossary, diagnostic: Diagnostic): boolean {
  if (misspeltPolicies(glossary, diagnostic) !== undefined) return false
  return diagnostic.code.startsWith('yaml-') || recordAt(glossary, diagnostic) === undefined
}

const harmless = ['terms', 'metrics', 'dimensions', 'links'] as const

interface RecordPlace {
  readonly list: (typeof harmless)[number]
  readonly index: number
}

/** Returns the record that the error is in; undefined for policies and outside of records. */
function recordAt(glossary: Glossary, { range }: Diagnostic): RecordPlace | undefined {
  for (const list of harmless) {
    const index = indexIn(glossary, list, range)
    if (index >= 0) return { list, index }
  }
  return undefined
}

/** Returns the place of a record in a list; -1 if the range is not in one. */
function indexIn({ file }: Glossary, list: string, range: Diagnostic['range']): number {
  const root = file?.tree
  if (root?.kind !== 'map') return -1
  for (const { key, value } of root.entries) {
    if (key.value !== list || value?.kind !== 'sequence') continue
    return value.items.findIndex(item => item.range.start <= range.start && range.end <= item.range.end)
  }
  return -1
}
