/** Finds duplicate entries of the glossary: an identifier, a name or a link must be unique. */
import type { Diagnostic } from '../text/diagnostic.ts'
import type { Range } from '../text/range.ts'
import { type Glossary, glossaryPath } from './glossary.ts'

type Entries = Pick<Glossary, 'terms' | 'metrics' | 'dimensions' | 'policies' | 'links'>
interface Named {
  readonly id: string
  readonly name: string
  readonly range: Range
}

export function duplicates(entries: Entries): Diagnostic[] {
  const { terms, metrics, dimensions, policies, links } = entries
  const all: readonly (readonly [string, readonly Named[]])[] = [
    ['term', terms],
    ['metric', metrics],
    ['dimension', dimensions],
    ['policy', policies],
  ]
  const diagnostics = all.flatMap(([kind, list]) => {
    const sameName = repeated(list, entry => entry.name.trim().toLowerCase())
    const named = new Set(sameName.map(([entry]) => entry))
    const sameId = repeated(list, entry => entry.id).filter(([entry]) => !named.has(entry))
    return [
      ...sameName.map(([entry, first]) =>
        twice(`two ${plural(kind)} are called "${entry.name}"`, entry, first),
      ),
      ...sameId.map(([entry, first]) =>
        twice(`the ${kind} "${entry.name}" has the id "${entry.id}" of "${first.name}"`, entry, first),
      ),
    ]
  })
  const sameLink = repeated(links, link =>
    [link.term, link.asset, link.column ?? ''].join('\0').toLowerCase(),
  )
  return [
    ...diagnostics,
    ...sameLink.map(([link, first]) => ({
      ...twice('this link is there twice', link, first),
      severity: 'warning' as const,
    })),
  ]
}

function plural(kind: string): string {
  return kind === 'policy' ? 'policies' : `${kind}s`
}

function repeated<T>(list: readonly T[], key: (entry: T) => string): (readonly [T, T])[] {
  const seen = new Map<string, T>()
  return list.flatMap(entry => {
    const first = seen.get(key(entry))
    if (first === undefined) seen.set(key(entry), entry)
    return first === undefined ? [] : [[entry, first] as const]
  })
}

interface Placed {
  readonly range: Range
}

function twice(message: string, entry: Placed, first: Placed): Diagnostic {
  return {
    code: 'glossary-duplicate',
    severity: 'error',
    path: glossaryPath,
    range: entry.range,
    message,
    hint: 'Take one of them out, or name it differently.',
    related: [{ path: glossaryPath, range: first.range, message: 'it is there first here' }],
  }
}
