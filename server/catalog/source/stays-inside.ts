/**
 * Tells whether a path stays inside a folder when its links are followed, and looks at nothing outside of the
 * folder to find out: on Windows even a look at a path of another machine logs in there. A link inside of the
 * folder is read and not followed by the system.
 */
import { lstatSync, readlinkSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'

/** Decides whether a path, an absolute one, may be looked at at all. */
export type MayOpen = (path: string) => boolean

export const mayOpenAll: MayOpen = () => true

/** Links that lead to each other have no end. */
const mostLinks = 40

export function staysInside(folder: string, path: string): boolean {
  const waiting = stepsBelow(folder, path)
  if (waiting === undefined) return false
  let here = folder
  for (let links = 0; waiting.length > 0; ) {
    const next = join(here, waiting.shift() ?? '')
    const target = targetOf(next)
    if (target === undefined) {
      here = next
      continue
    }
    links += 1
    const below = stepsBelow(folder, resolve(here, target))
    if (below === undefined || links > mostLinks) return false
    waiting.unshift(...below)
    here = folder
  }
  return true
}

/** Returns the names that lead from a folder to a path; undefined if the path is not in it. */
function stepsBelow(folder: string, path: string): string[] | undefined {
  const way = relative(folder, path)
  const steps = way.split(/[\\/]/).filter(step => step !== '')
  return isAbsolute(way) || steps[0] === '..' ? undefined : steps
}

/**
 * Returns where a link leads; undefined for what is no link, or is not there. Asked at every folder above every file, so
 * what is no link is found without an error, which would take ten times as long.
 */
function targetOf(path: string): string | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
      ? readlinkSync(path)
      : undefined
  } catch {
    return undefined
  }
}
