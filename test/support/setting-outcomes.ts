/** Names that are right, spelled in other ways, or wrong, at each place: each is found, or a message names it. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createProjectHere } from './cli-here.ts'
import { type Place, server } from './setting-places.ts'

/** A way to write a name; `twice` writes the right one two times where the key takes a list. */
export const spellings = ['right', 'letters', 'source', 'misspelt', 'other', 'empty', 'twice'] as const

export type Spelling = (typeof spellings)[number]

export interface Outcome {
  /** What the commands end with and deliver, without what differs from run to run. */
  readonly effect: string
  /** The problems, warnings and failures, in the words of the machine-readable output. */
  readonly messages: readonly string[]
}

export async function outcomeOf(place: Place, spelling: Spelling): Promise<Outcome> {
  const project = createProjectHere(await place.files(wordsOf(place, spelling)))
  try {
    const asked = (await server()).requests.length
    const checked = await project.svc(['validate', '--json'])
    const ran = await project.svc(['run', '--all', '--env', 'prod', '--json'])
    const requests = (await server()).requests.length - asked
    const rows = await project.svc(['sample', 'orders', '--env', 'prod', '--json'])
    const lines = /"rows":.*/s.exec(rows.stdout)?.[0] ?? ''
    const published = join(project.root, 'out', 'a.csv')
    const delivered = `${lines} ${existsSync(published) ? readFileSync(published, 'utf8') : ''}`
    return {
      effect: `${checked.code} ${ran.code} ${requests} ${sortedParts(delivered.toLowerCase().replaceAll('_', ''))}`,
      messages: [checked, ran].flatMap(({ stdout }) => messagesIn(JSON.parse(stdout))),
    }
  } finally {
    project.remove('.')
  }
}

/** The sentences of an output; hints are not enough, for they list names that were not meant. */
function messagesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, below]) =>
    typeof below === 'string' && (key === 'message' || key === 'because') ? [below] : messagesIn(below),
  )
}

/** Whether a message names the name as it is written, or the key; all parts of a name with a dot. */
function isToldBy(message: string, { path, names }: Place, spelling: Spelling): boolean {
  const key = /(\w+)(\[\]|\.<[^>]+>)*$/.exec(path)?.[1] ?? path
  if (has(message, key)) return true
  if (spelling === 'empty') return message.includes('""')
  return names[spelling === 'twice' ? 'right' : spelling].split('.').every(part => has(message, part))
}

function has(message: string, word: string): boolean {
  const plain = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<![A-Za-z])${plain}(?![A-Za-z])`).test(message)
}

/** A load without an order of its own may have its rows in any. */
function sortedParts(rows: string): string {
  return rows
    .split(/[[\]{},\s]+/)
    .sort()
    .join(' ')
}

function wordsOf({ names, isList }: Place, spelling: Spelling): string {
  const quoted = JSON.stringify(
    spelling === 'twice' ? names.right : spelling === 'empty' ? '' : names[spelling],
  )
  if (isList !== true) return quoted
  return spelling === 'twice' ? `[${quoted}, ${quoted}]` : `[${quoted}]`
}

/** Returns what is silent: a spelling that neither does what the right name does, nor is named by a message of its own. */
export async function silentOnes(
  place: Place,
  tried: readonly Spelling[] = spellings,
): Promise<readonly string[]> {
  const right = await outcomeOf(place, 'right')
  const silent: string[] = []
  for (const spelling of tried.filter(each => each !== 'right' && isWritten(place, each))) {
    const { effect, messages } = await outcomeOf(place, spelling)
    const mayBeSame = ['letters', 'source', 'twice'].includes(spelling)
    const isFound = mayBeSame && effect === right.effect && messages.length === right.messages.length
    const own = messages.filter(each => !right.messages.includes(each))
    if (!isFound && !own.some(each => isToldBy(each, place, spelling)))
      silent.push(`${place.path}: ${spelling}`)
  }
  return silent
}

/** Only a list has a name twice. */
export function isWritten(place: Place, spelling: Spelling): boolean {
  return spelling !== 'twice' || place.isList === true
}
