/** Which errors of `glossary.yaml` stop a run of some assets. */
import type { Diagnostic, Glossary } from '@svc/server/language'

/**
 * Returns the assets that an error concerns: in a term, a link, a metric or a dimension those that the record names. Any other
 * error may hide a policy, and concerns every asset: undefined.
 */
export function concernedAssets(glossary: Glossary, diagnostic: Diagnostic): readonly string[] | undefined {
  const place = hidesPolicies(glossary, diagnostic) ? undefined : recordAt(glossary, diagnostic)
  if (place === undefined) return undefined
  const { list, index } = place
  if (list === 'links') return glossary.links.filter(link => link.index === index).map(link => link.asset)
  if (list !== 'metrics') return []
  return glossary.metrics.find(metric => metric.index === index)?.sourceAssets ?? []
}

/** Whether the error leaves unknown which policies there are. */
export function hidesPolicies(glossary: Glossary, diagnostic: Diagnostic): boolean {
  return diagnostic.code.startsWith('yaml-') || recordAt(glossary, diagnostic) === undefined
}

const harmless = ['terms', 'metrics', 'dimensions', 'links'] as const

interface RecordPlace {
  readonly list: (typeof harmless)[number]
  readonly index: number
}

/** Returns the record that the error is in; undefined for policies and outside of records. */
function recordAt({ file }: Glossary, { range }: Diagnostic): RecordPlace | undefined {
  const root = file?.tree
  if (root?.kind !== 'map') return undefined
  for (const list of harmless) {
    for (const { key, value } of root.entries) {
      if (key.value !== list || value?.kind !== 'sequence') continue
      const index = value.items.findIndex(
        item => item.range.start <= range.start && range.end <= item.range.end,
      )
      if (index >= 0) return { list, index }
    }
  }
  return undefined
}
