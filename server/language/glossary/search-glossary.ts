/** Finds entries of the glossary by words: all of them have to be in an entry, in whatever case. */
import type { Glossary } from './glossary.ts'

export interface FoundEntry {
  readonly kind: 'term' | 'metric' | 'dimension' | 'policy'
  readonly id: string
  readonly name: string
  readonly description: string
}

/** Returns entries called just like this first, then those whose names have the words, then all others. */
export function searchGlossary(glossary: Glossary, text: string): readonly FoundEntry[] {
  const words = folded(text).split(/\s+/).filter(Boolean)
  const whole = words.join(' ')
  const has = (texts: readonly (string | undefined)[]) => {
    const all = folded(texts.join('\n'))
    return words.every(word => all.includes(word))
  }
  return searchedEntries(glossary)
    .flatMap(({ entry, names, rest }) => {
      if (names.some(name => folded(name) === whole)) return [{ entry, rank: 0 }]
      if (has(names)) return [{ entry, rank: 1 }]
      return has([...names, ...rest]) ? [{ entry, rank: 2 }] : []
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry)
}

function folded(text: string): string {
  return text.trim().toLowerCase()
}

/** `names`: what people call it, which counts more than what is said of it. */
function searchedEntries({ terms, metrics, dimensions, policies }: Glossary) {
  const entryOf = (kind: FoundEntry['kind'], { id, name, description }: Omit<FoundEntry, 'kind'>) => ({
    entry: { kind, id, name, description },
    names: [name, id],
  })
  return [
    ...terms.map(term => {
      const { entry, names } = entryOf('term', term)
      return { entry, names: [...names, ...term.synonyms], rest: [term.description, term.owner] }
    }),
    ...metrics.map(metric => ({
      ...entryOf('metric', metric),
      rest: [metric.description, metric.expression, metric.owner, ...metric.sourceAssets],
    })),
    ...dimensions.map(dimension => ({
      ...entryOf('dimension', dimension),
      rest: [dimension.description, ...dimension.values.map(String)],
    })),
    ...policies.map(policy => ({
      ...entryOf('policy', policy),
      rest: [policy.rule, ...policy.piiColumns, ...policy.appliesTo],
    })),
  ]
}
