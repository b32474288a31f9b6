/** Removes files beside the database that dead processes left. It considers only names that svc creates. */
import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const draftAgeMs = 60_000

/**
 * Call this directly after opening the file for writing: no other process has it open then, so all spilled
 * data belongs to dead processes. Never fails, because it only tidies up.
 */
export async function removeLeftovers(file: string): Promise<void> {
  try {
    const folder = dirname(file)
    const draft = new RegExp(`^${escapeRegExp(basename(file))}\\.[0-9a-f]{8}\\.new(\\.wal)?$`)
    for (const name of await readdir(folder)) {
      if (name === `${basename(file)}.tmp`) await removeSpilled(join(folder, name))
      else if (draft.test(name) && (await ageMs(join(folder, name))) > draftAgeMs)
        await rm(join(folder, name), { force: true })
    }
  } catch {
    // The next command tries again.
  }
}

/**
 * Removes only files from before this process started, because opening the file may already have spilled
 * data.
 */
async function removeSpilled(folder: string): Promise<void> {
  const isOld = async (path: string) => (await stat(path)).mtimeMs < performance.timeOrigin
  if (await isOld(folder)) return rm(folder, { recursive: true, force: true })
  for (const name of await readdir(folder)) {
    if (await isOld(join(folder, name))) await rm(join(folder, name), { force: true })
  }
}

async function ageMs(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined)
  return found === undefined ? 0 : Date.now() - found.mtimeMs
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
