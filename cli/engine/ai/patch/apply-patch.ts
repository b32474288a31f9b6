/** Writes the files of a checked patch: all of them, or none. */
import { chmodSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { SvcError } from '../../errors.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { type CheckedPatchFile, type PatchVerdict, sha256Of } from './check-patch.ts'
import {
  endJournal,
  type Journal,
  type JournalFile,
  journalFolder,
  recoverPatch,
  refuseOtherPatch,
  syncFolder,
  undo,
  writeJournal,
  writeSynced,
} from './journal.ts'
import { placeProblem, statOf } from './place.ts'

/** What happens one after the other; a test ends the process at each of them. */
export type ApplyStep = 'begin' | 'journal' | 'backup' | 'draft' | 'rename' | 'renamed' | 'ended'

export interface ApplyOptions {
  /** Whether somebody has agreed to the checks that the patch weakens. */
  readonly agreed: boolean
  readonly onStep?: (step: ApplyStep, path: string) => void
}

export interface AppliedFile {
  readonly path: string
  readonly status: 'created' | 'changed' | 'unchanged'
}

/**
 * Writes the files of a verdict of `checkPatch` that refuses nothing. Throws SvcError `file-failed`; then every file is as it was.
 */
export function applyPatch(
  { root, project, world }: Pick<Workspace, 'root' | 'project' | 'world'>,
  verdict: PatchVerdict,
  { agreed, onStep = () => {} }: ApplyOptions,
): readonly AppliedFile[] {
  refuseUnsafe(verdict, agreed)
  recoverPatch(root, world)
  refuseOtherPatch(root)
  const files = verdict.files.filter(({ beforeHash, afterHash }) => beforeHash !== afterHash)
  const journal = journalOf(root, files, world)
  onStep('begin', '')
  let path = journalFolder
  const onFile = (next: string) => {
    path = next
  }
  try {
    writeJournal(root, journal)
    onStep('journal', '')
    writeAll(root, { files, journal, models: project.settings.models, onStep, onFile })
  } catch (error) {
    undo(root, journal)
    if (error instanceof SvcError) throw error
    throw unwritable(path, error)
  }
  endJournal(root)
  onStep('ended', '')
  return verdict.files.map(({ path, beforeHash, afterHash }) => ({
    path,
    status: beforeHash === null ? 'created' : beforeHash === afterHash ? 'unchanged' : 'changed',
  }))
}

function unwritable(path: string, error: unknown): SvcError {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  return new SvcError('file-failed', `${path} cannot be written (${reason}); every file is as it was`, {
    hint: 'Is the folder writable, and is there room on the disk?',
    place: path,
    facts: { path },
    cause: error,
  })
}

/** A command has told of these before, and asked. */
function refuseUnsafe({ refusals, weakened }: PatchVerdict, agreed: boolean): void {
  if (refusals.length > 0) throw new Error(`a refused patch is not written: ${refusals[0]?.message}`)
  if (weakened.length > 0 && !agreed)
    throw new Error('a patch that weakens checks is not written unconfirmed')
}

function journalOf(
  root: string,
  files: readonly CheckedPatchFile[],
  { pid, host }: Pick<Workspace['world'], 'pid' | 'host'>,
): Journal {
  const entries = files.map(({ path, beforeHash, afterHash }, index): JournalFile => {
    if (afterHash === null) throw new Error(`the verdict has no text of ${path}`)
    const backup = beforeHash === null ? null : `${index}.before`
    return { path, beforeHash, afterHash, draft: `.${basename(path)}.${pid}.patch`, backup }
  })
  return { version: 1, pid, host, files: entries, folders: newFolders(root, files) }
}

function newFolders(root: string, files: readonly CheckedPatchFile[]): string[] {
  const all = files.flatMap(({ path }) => {
    const steps = path.split('/').slice(0, -1)
    return steps.map((_, index) => steps.slice(0, index + 1).join('/'))
  })
  return [...new Set(all)].filter(folder => statOf(join(root, folder)) === undefined).sort()
}

interface Writing {
  readonly files: readonly CheckedPatchFile[]
  readonly journal: Journal
  readonly models: string
  readonly onStep: (step: ApplyStep, path: string) => void
  /** Told of each file before anything is done with it. */
  readonly onFile: (path: string) => void
}

function writeAll(root: string, { files, journal, models, onStep, onFile }: Writing): void {
  for (const folder of journal.folders) {
    onFile(journal.files.find(({ path }) => path.startsWith(`${folder}/`))?.path ?? folder)
    mkdirSync(join(root, folder))
  }
  for (const { path, backup } of journal.files) {
    onFile(path)
    const full = join(root, path)
    if (backup !== null) writeSynced(join(root, journalFolder, backup), readFileSync(full), modeOf(full))
    onStep('backup', path)
  }
  for (const [index, { path, draft }] of journal.files.entries()) {
    onFile(path)
    const full = join(root, path)
    const temporary = join(dirname(full), draft)
    const mode = modeOf(full)
    writeSynced(temporary, files[index]?.after ?? '', mode)
    if (mode !== undefined) chmodSync(temporary, mode)
    onStep('draft', path)
  }
  for (const { path, draft, beforeHash } of journal.files) {
    onFile(path)
    refuseMoved(root, models, path, beforeHash)
    onStep('rename', path)
    const full = join(root, path)
    renameSync(join(dirname(full), draft), full)
    onStep('renamed', path)
  }
  for (const folder of new Set(journal.files.map(({ path }) => dirname(path)))) syncFolder(join(root, folder))
}

/** A copy of a file is never open to more people than the file itself. Undefined: there is no file yet. */
function modeOf(full: string): number | undefined {
  const stat = statOf(full)
  return stat === undefined ? undefined : Number(stat.mode) & 0o777
}

/** Somebody may have changed the file, or put a link there, since it was checked. */
function refuseMoved(root: string, models: string, path: string, beforeHash: string | null): void {
  const full = join(root, path)
  const problem = placeProblem(root, models, path)
  const isSame =
    statOf(full) === undefined ? beforeHash === null : sha256Of(readFileSync(full)) === beforeHash
  if (problem === undefined && isSame) return
  throw new SvcError('file-failed', `${path} was changed meanwhile; every file is as it was`, {
    hint: 'Make the patch anew from the file as it is.',
    place: path,
    facts: { path },
  })
}
