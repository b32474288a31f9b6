/** Rows for people: some of those that would be sent, and those that were not taken, without personal values. */
import type { LocalReader } from '@svc/server/catalog'
import type { PublishReject } from '../state/state.ts'
import { rejectOf, type Untaken } from './acknowledge.ts'
import { sampleRows } from './difference.ts'
import type { Publishing } from './publishing.ts'
import type { Production } from './read-production.ts'
import type { PublishReport } from './report.ts'
import { membersOf, operations } from './row-text.ts'

/** How many of each operation. */
const mostSamples = 5
const mostShown = 20
const mask = '***'

export async function samplesOf(
  local: LocalReader,
  { target }: Pick<Publishing, 'target'>,
  { door, fields, rowsPath }: Production,
): Promise<PublishReport['samples']> {
  const rows = await sampleRows({ local, fields, rowsPath, target }, mostSamples)
  return rows.flatMap(({ operation, raw }) => {
    const known = operations[operation]
    return known === undefined ? [] : [{ operation: known, row: masked(raw, door.personal) }]
  })
}

/** Returns the first of them as they may be shown. */
export function shownRejects(
  rows: readonly Untaken[],
  { attempt }: Pick<Publishing, 'attempt'>,
  { door: { personal } }: Pick<Production, 'door'>,
): readonly PublishReject[] {
  const about = { ...attempt.to, runId: attempt.runId }
  const at = attempt.startedAt.toISOString()
  return rows.slice(0, mostShown).map(({ operation, key, reason, raw }) => {
    const shown = { operation, reason, key: maskJson(key, personal), raw: maskJson(raw, personal) }
    return rejectOf(about, shown, at)
  })
}

export function masked(json: string, personal: ReadonlySet<string>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    membersOf(json).map(([name, text]) => [
      name,
      text !== 'null' && personal.has(name) ? mask : shownValue(text),
    ]),
  )
}

/** A number that JavaScript would round is shown as its text, and so is a value with one in it. */
function shownValue(text: string): unknown {
  return !text.startsWith('"') && /[0-9]{16}/.test(text.replaceAll('.', '')) ? text : JSON.parse(text)
}

/** The values of all others stay as they are written, with every digit. */
export function maskJson(json: string, personal: ReadonlySet<string>): string {
  if (personal.size === 0) return json
  const members = membersOf(json).map(([name, text]) => {
    const shown = text !== 'null' && personal.has(name) ? JSON.stringify(mask) : text
    return `${JSON.stringify(name)}:${shown}`
  })
  return `{${members.join(',')}}`
}

/** Hides personal values of a row in what a target says of it, also those inside of lists and objects. */
export function withoutValues(reason: string, raw: string, personal: ReadonlySet<string>): string {
  if (personal.size === 0) return reason
  const values = membersOf(raw).flatMap(([name, text]) => (personal.has(name) ? scalarsIn(text) : []))
  // A long value may have a short one in it.
  const longest = values.filter(value => value.length > 1).toSorted((a, b) => b.length - a.length)
  return longest.reduce((text, value) => text.replaceAll(value, mask), reason)
}

/**
 * Returns the texts and numbers of a JSON value, without the names of members. A text is there as it is and as JSON writes it,
 * since a target may repeat the payload; one that is JSON itself, as a table gets lists and objects, has its own.
 */
function scalarsIn(json: string): string[] {
  const tokens = json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|-?[0-9][0-9.eE+-]*/g)
  return [...tokens].flatMap(([text, colon]) => {
    if (colon !== undefined) return []
    if (!text.startsWith('"')) return [text]
    const value = JSON.parse(text) as string
    return [value, text.slice(1, -1), ...(/^[[{]/.test(value) ? scalarsIn(value) : [])]
  })
}
