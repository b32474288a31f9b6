/** Files of a source that match and bring nothing: a run says which, because their records may be missed. */
import { stat } from 'node:fs/promises'
import { relative } from 'node:path'
import type { FetchContext } from './source.ts'

type Warned = Pick<FetchContext, 'root' | 'onWarning'>

/** Warns of links whose target does not exist. */
export function warnOfDangling(context: Warned, links: readonly string[]): void {
  warnOfLost(context, namesIn(context, links))
}

/** The same, of links on a server. */
export function warnOfLost({ onWarning }: Pick<Warned, 'onWarning'>, links: readonly string[]): void {
  if (links.length === 0) return
  const what = links.length === 1 ? 'a link that leads' : `${links.length} links that lead`
  onWarning?.({
    code: 'unreachable-link',
    count: links.length,
    message: `${what} nowhere brought no records: ${firstOf(links)}`,
    hint: 'Put the file back that it leads to, or remove the link.',
  })
}

/** Warns of CSV files without even a header, beside others that have one. */
export async function warnOfEmpty(context: Warned, paths: readonly string[]): Promise<void> {
  const sizes = await Promise.all(paths.map(async path => (await stat(path)).size))
  const empty = paths.filter((_, index) => sizes[index] === 0)
  if (empty.length === 0) return
  const what = empty.length === 1 ? 'an empty file' : `${empty.length} empty files`
  context.onWarning?.({
    code: 'empty-files',
    count: empty.length,
    message: `${what}, without even a header, brought no records: ${shownPaths(context, empty)}`,
    hint: 'A delivery that was cut off looks so: get it again, or remove the file.',
  })
}

/** Returns the first paths as the project names them. */
function shownPaths(context: Warned, paths: readonly string[]): string {
  return firstOf(namesIn(context, paths))
}

function namesIn({ root }: Warned, paths: readonly string[]): readonly string[] {
  return paths.map(path => relative(root, path).replaceAll('\\', '/'))
}

/** Returns the first names, and how many more there are. */
export function firstOf(names: readonly string[], most = 3): string {
  const rest = names.length - most
  return `${names.slice(0, most).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
