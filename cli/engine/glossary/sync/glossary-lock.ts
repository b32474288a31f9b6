/**
 * `glossary.lock.json`: the entries as they were when glossary.yaml and the hosted store were last the same. It is
 * committed, so that it fits the glossary.yaml of each branch and a fresh clone knows it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type EntryFields, type EntryKind, entryShapes } from '@svc/server/language'
import { writeWhole } from '../../artifacts/write-file.ts'
import { SvcError } from '../../errors.ts'
import type { HostedTarget } from '../../upload/hosted-target.ts'
import { type Entries, keyOf, type SyncEntry } from './sync-entry.ts'

export const glossaryLockFile = 'glossary.lock.json'

interface LockFile {
  readonly version: 1
  /** Address and number of the project: another store has another past. */
  readonly store: string
  readonly project: number
  /** By kind and identifier. */
  readonly entries: Readonly<Partial<Record<EntryKind, Readonly<Record<string, EntryFields>>>>>
}

/** Returns nothing if there is no file, or it is about another store. Throws SvcError `invalid-glossary`. */
export function readGlossaryLock(root: string, target: HostedTarget): Entries {
  const file = readLock(root)
  if (file === undefined || file.store !== target.url || file.project !== target.project) return new Map()
  const kinds = Object.keys(entryShapes) as EntryKind[]
  const entries = kinds.flatMap(kind =>
    Object.entries(file.entries[kind] ?? {}).map(([id, fields]): SyncEntry => {
      return { kind, id, name: String(fields['name'] ?? id), fields }
    }),
  )
  return new Map(entries.map(entry => [keyOf(entry), entry]))
}

function readLock(root: string): LockFile | undefined {
  let text: string
  try {
    text = readFileSync(join(root, glossaryLockFile), 'utf8')
  } catch {
    return undefined
  }
  try {
    const file = JSON.parse(text) as LockFile
    if (file.version === 1 && typeof file.entries === 'object' && file.entries !== null) return file
  } catch {
    // Told below.
  }
  const line = text.split('\n').findIndex(each => /^(<{7}|={7}|>{7})/.test(each)) + 1
  const what = line > 0 ? 'has the conflict markers of a merge' : 'cannot be read'
  throw new SvcError('invalid-glossary', `${glossaryLockFile} ${what}`, {
    place: line > 0 ? `${glossaryLockFile}:${line}` : glossaryLockFile,
    hint: 'Take the side whose glossary.yaml you took, or delete the file: then what differs on both sides is a conflict.',
  })
}

/** Throws SvcError `file-failed`. */
export function writeGlossaryLock(root: string, target: HostedTarget, entries: Entries, pid: number): void {
  const sorted = [...entries.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const byKind: Partial<Record<EntryKind, Record<string, EntryFields>>> = {}
  for (const { kind, id, fields } of sorted) {
    const list = byKind[kind] ?? {}
    byKind[kind] = list
    list[id] = fields
  }
  const file: LockFile = { version: 1, store: target.url, project: target.project, entries: byKind }
  writeWhole(join(root, glossaryLockFile), `${JSON.stringify(file, undefined, 2)}\n`, pid)
}
