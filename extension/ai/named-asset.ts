/** Which asset words are about. Independent of the editor. */
import type { ProjectSummary } from '@svc/server/protocol'
import { sameUri } from '../projects/uris.ts'

export interface NamedAsset {
  /** The URI of its project. */
  readonly root: string
  readonly asset: string
  /** What else was said. */
  readonly rest: string
}

/** The first word that is an asset, by its name or its file; else the first of these files that is one. */
export function namedAsset(
  projects: readonly ProjectSummary[],
  words: string,
  files: readonly string[],
): NamedAsset | undefined {
  const all = projects.flatMap(({ root, assets }) => assets.map(({ name, uri }) => ({ root, name, uri })))
  const rest = words.trim()
  const [first = ''] = rest.split(/\s+/)
  const word = first.replace(/^[`'"]|[`'",:.]+$/g, '')
  const named = all.find(
    ({ name, uri }) => name === word || (word.endsWith('.svc') && uri.endsWith(`/${word}`)),
  )
  if (named !== undefined)
    return { root: named.root, asset: named.name, rest: rest.slice(first.length).trim() }
  for (const file of files) {
    const found = all.find(({ uri }) => sameUri(uri, file))
    if (found !== undefined) return { root: found.root, asset: found.name, rest }
  }
  return undefined
}
