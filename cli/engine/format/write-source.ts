/** Replaces a user's file atomically, through symbolic links and with its permissions. */
import { type FileHandle, open, realpath, rename, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { SvcError } from '../errors.ts'

/** Throws SvcError `file-failed`. */
export async function writeSource(path: string, text: string, pid: number): Promise<void> {
  let draft: string | undefined
  try {
    const real = await realpath(path)
    const { mode } = await stat(real)
    draft = join(dirname(real), `.${basename(real)}.${pid}.tmp`)
    await writeDraft(await open(draft, 'w', mode & 0o777), text, mode & 0o777)
    await rename(draft, real)
  } catch (cause) {
    if (draft !== undefined) await unlink(draft).catch(() => {})
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    throw new SvcError('file-failed', `cannot write ${path} (${reason})`, {
      hint: 'Is the folder writable, and is there room on the disk?',
      cause,
    })
  }
}

async function writeDraft(file: FileHandle, text: string, mode: number): Promise<void> {
  try {
    // The permissions of a new file may be more restrictive than those of the old one.
    await file.chmod(mode)
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
