/**
 * Finds the column by which a source can be asked for what has changed. It is written down only where everything speaks for it;
 * a column that merely looks like it becomes a comment.
 */
import { SvcError } from '../errors.ts'
import { isoTime } from '../ingest/incremental/cursor-text.ts'
import type { SampledColumn, SampledSource } from './sample-source.ts'

const changes =
  /^((row_)?(last_)?(updated|modified|changed|edited)(_(at|on|time|date|datetime|timestamp|utc))?|last_(update|modification|change)(_(at|on|time|date))?|(update|modification|change)_(time|date|timestamp)|date_(updated|modified|changed)|lastmodified|mtime)$/

/** Returns the column of times that is named like that of the last change. */
export function likelyCursor(columns: readonly SampledColumn[]): SampledColumn | undefined {
  return columns.find(({ name, times }) => times !== undefined && changes.test(name))
}

/** Returns whether every record that was seen has a value. */
export function isAlwaysThere({ times }: SampledColumn): boolean {
  return times?.isComplete === true
}

/** The parameters that services take for it, the most common ones first. */
function parametersFor(column: string): readonly string[] {
  const stem = column.replace(/_(at|on|time|date|datetime|timestamp|utc)$/, '')
  return [
    `${stem}_since`,
    `${stem}_after`,
    `${column}_min`,
    `${column}_gte`,
    `${column}__gte`,
    `${column}[gte]`,
    'since',
    'modified_since',
  ].filter((name, index, all) => all.indexOf(name) === index)
}

/** Asks the service for its first page with one more parameter. */
export type AskWith = (parameter: string, value: string) => Promise<SampledSource>

/**
 * Returns the parameter by which the service leaves out what has not changed since a time. It is tried: from a time in the middle
 * of the first page on nothing older may come and what is of that time must, and from a time to come on nothing at all.
 */
export async function findFilter(cursor: SampledColumn, ask: AskWith): Promise<string | undefined> {
  const { times } = cursor
  if (times === undefined || times.lowest === times.middle) return undefined
  for (const parameter of parametersFor(cursor.from)) {
    const later = await answered(() => ask(parameter, isoTime(times.middle)))
    const found = later?.columns.find(({ name }) => name === cursor.name)?.times
    if (found === undefined || found.lowest !== times.middle) continue
    const none = await answered(() => ask(parameter, farAway))
    if (none?.rows === 0) return parameter
  }
  return undefined
}

const farAway = '2999-01-01T00:00:00Z'

/** Returns undefined where the service refuses the parameter, and no rows where nothing came. */
async function answered(ask: () => Promise<SampledSource>): Promise<SampledSource | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    if (error.code === 'source-shape' && error.facts?.['isEmpty'] === true)
      return { columns: [], rows: 0, children: [], pages: undefined }
    if (error.code === 'http-status' || error.code === 'http-body' || error.code === 'source-shape')
      return undefined
    throw error
  }
}
