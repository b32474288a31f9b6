/**
 * What an interrupted fetch leaves: `progress.json` beside its spool, which says how far it came. It is replaced at once, so
 * that a process that dies leaves the one before.
 */
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJson, readText } from '../artifacts/read-file.ts'

/** After this time the data of the source and its page tokens are likely to have changed. */
export const resumableMs = 6 * 3_600_000

/** Increase this when the content of the file changes. */
const version = 4

export interface SavedProgress {
  /** The hash of everything that decides what is asked for. */
  readonly definition: string
  readonly savedAt: string
  /** Everything has been fetched. */
  readonly isDone: boolean
  /** The moment up to which the windows of the cursor reach. */
  readonly until?: string
  readonly checkpoint: unknown
}

export type FoundProgress<Checkpoint = unknown> =
  | { readonly kind: 'nothing' }
  /** There is progress that cannot be used; the note says why. */
  | { readonly kind: 'unusable'; readonly note: string }
  | { readonly kind: 'progress'; readonly checkpoint: Checkpoint }

export function saveProgress(folder: string, progress: SavedProgress): void {
  writeProgress(folder, progressText(progress))
}

export function progressText(progress: SavedProgress): string {
  return JSON.stringify({ version, ...progress })
}

export function writeProgress(folder: string, text: string): void {
  const path = join(folder, 'progress.json')
  const draft = `${path}.tmp`
  const file = openSync(draft, 'w', 0o600)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(draft, path)
}

/** Returns the progress of a fetch that asked for the same. */
export function findProgress(folder: string, definition: string, now: Date): FoundProgress {
  const text = readProgress(folder)
  if (text === undefined) return { kind: 'nothing' }
  const saved = parseProgress(text)
  if (saved === undefined) return cutOff
  if (saved.definition !== definition) return unusable('the request is another one now')
  if (!isYoung(saved, now)) return unusable('it stopped more than 6 hours ago')
  return { kind: 'progress', checkpoint: saved.checkpoint }
}

function unusable(reason: string) {
  return { kind: 'unusable', note: `an earlier fetch cannot be continued, because ${reason}` } as const
}

export const cutOff = unusable('its record of progress is cut off')

/** Removes what is in the folder of a fetch, except what has these names. */
export async function clearSpool(folder: string, kept: readonly string[] = []): Promise<void> {
  for (const name of await readdir(folder))
    if (!kept.includes(name)) await rm(join(folder, name), { recursive: true, force: true })
}

/** Returns up to when the windows of an interrupted fetch reach, so that one that goes on has the same. */
export function keptUntil(folder: string, now: Date): string | undefined {
  const saved = savedIn(folder)
  return saved !== undefined && isYoung(saved, now) ? saved.until : undefined
}

export type FetchRemains = ReturnType<typeof remainsOfFetch>

/** Returns what remains of any fetch in a folder, whatever it requested. */
export function remainsOfFetch(folder: string) {
  const saved = savedIn(folder)
  return {
    /** Whether everything has been fetched. */
    isDone: saved?.isDone === true,
    /** Whether a later fetch can continue from it. */
    isUsable: (now: Date) => saved !== undefined && isYoung(saved, now),
  }
}

function savedIn(folder: string): SavedProgress | undefined {
  return parseProgress(readProgress(folder))
}

function isYoung({ savedAt }: SavedProgress, now: Date): boolean {
  return now.getTime() - Date.parse(savedAt) < resumableMs
}

function readProgress(folder: string): string | undefined {
  return readText(join(folder, 'progress.json'))
}

function parseProgress(text: string | undefined): SavedProgress | undefined {
  const saved = parseJson<SavedProgress & { readonly version: number }>(text)
  return saved?.version === version ? saved : undefined
}
