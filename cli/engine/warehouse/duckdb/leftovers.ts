/** Files beside the database that processes left when they died. Looks at names of our own making only. */
import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const draftAgeMs = 60_000

/**
 * To be called by who has just opened the file for writing and has done nothing yet: nobody else has it open, so
 * whatever was spilled to disk is of the dead. Never fails: it tidies.
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
    // The next one tries again.
  }
}

/** What was there before this process began: opening the file may have spilled already. */
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
