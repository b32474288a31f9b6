/**
 * The journal of a patch that is being written (`.svc/patch/`): with it the next command puts all files back
 * as they were when the one that wrote them was killed.
 */
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { writeWhole } from '../../artifacts/write-file.ts'
import { SvcError } from '../../errors.ts'
import type { World } from '../../workspace/workspace.ts'
import { sha256Of } from './check-patch.ts'

export interface JournalFile {
  readonly path: string
  readonly beforeHash: string | null
  readonly afterHash: string
  /** The name of the file with the new text, beside the file itself. */
  readonly draft: string
  /** The name of the file with the old text, in the journal's folder; null for a new file. */
  readonly backup: string | null
}

export interface Journal {
  readonly version: 1
  readonly pid: number
  readonly host: string
  readonly files: readonly JournalFile[]
  /** Folders that were made for new files, outermost first. */
  readonly folders: readonly string[]
}

export const journalFolder = '.svc/patch'

function journalPath(root: string): string {
  return join(root, journalFolder, 'journal.json')
}

/** Throws SvcError `file-failed` where another patch is being written. */
export function writeJournal(root: string, journal: Journal): void {
  const folder = join(root, journalFolder)
  mkdirSync(folder, { recursive: true })
  // Nothing below this folder belongs into a repository.
  writeFileSync(join(folder, '.gitignore'), '*\n')
  writeWhole(journalPath(root), `${JSON.stringify(journal)}\n`, journal.pid)
  syncFolder(folder)
}

/** From here on the patch is applied, whatever happens. */
export function endJournal(root: string): void {
  rmSync(journalPath(root), { force: true })
  syncFolder(join(root, journalFolder))
  rmSync(join(root, journalFolder), { recursive: true, force: true })
}

/**
 * Puts back what a killed command left half written, and returns the files. A patch that another process is
 * writing is left alone.
 */
export function recoverPatch(root: string, world: Pick<World, 'now' | 'host' | 'pid'>): readonly string[] {
  if (!existsSync(journalPath(root))) return []
  const journal = readJournal(root)
  if (journal === undefined || isWriting(root, journal, world)) return []
  return undo(root, journal)
}

/** Throws SvcError `file-failed` if a patch is being written by another process. */
export function refuseOtherPatch(root: string): void {
  if (!existsSync(journalPath(root))) return
  throw new SvcError('file-failed', 'another patch is being written', {
    hint: `Wait until it is done; its journal is ${journalFolder}/journal.json.`,
  })
}

/** A journal is written in one step: one that cannot be read was damaged later, and says nothing. */
function readJournal(root: string): Journal | undefined {
  try {
    const journal = JSON.parse(readFileSync(journalPath(root), 'utf8')) as Journal
    return journal.version === 1 && Array.isArray(journal.files) ? journal : undefined
  } catch {
    return undefined
  }
}

/** Far longer than writing takes; a process that has the number of a dead one must not keep files half written. */
const longestWriteMs = 60_000

function isWriting(
  root: string,
  { pid, host }: Journal,
  world: Pick<World, 'now' | 'host' | 'pid'>,
): boolean {
  if (world.now().getTime() - statSync(journalPath(root)).mtimeMs > longestWriteMs) return false
  if (host !== world.host) return true
  if (pid === world.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user is alive too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Returns the files that were put back. Files that somebody has changed since then are left alone. */
export function undo(root: string, { files, folders, pid }: Journal): readonly string[] {
  const restored: string[] = []
  for (const { path, beforeHash, afterHash, draft, backup } of files) {
    const full = join(root, path)
    rmSync(join(dirname(full), draft), { force: true })
    const now = existsSync(full) ? sha256Of(readFileSync(full)) : null
    if (now !== afterHash || beforeHash === afterHash) continue
    if (backup === null) rmSync(full)
    else moveBack(join(root, journalFolder, backup), full, pid)
    syncFolder(dirname(full))
    restored.push(path)
  }
  for (const folder of [...folders].reverse()) removeEmpty(join(root, folder))
  endJournal(root)
  return restored
}

/** By a copy beside the file, so that a second kill finds the backup again. */
function moveBack(backup: string, full: string, pid: number): void {
  const draft = `${full}.${pid}.undo`
  const mode = statSync(full).mode & 0o777
  writeSynced(draft, readFileSync(backup), mode)
  // The mask of the process may have taken something from it.
  chmodSync(draft, mode)
  renameSync(draft, full)
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Somebody has put a file there, or it was never made.
  }
}

export function writeSynced(path: string, content: string | Buffer, mode = 0o644): void {
  const file = openSync(path, 'w', mode)
  try {
    writeFileSync(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** A rename lasts only when its folder is written. Windows has no such thing. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const file = openSync(folder, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
