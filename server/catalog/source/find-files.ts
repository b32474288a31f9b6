/**
 * Finds the local files that match a glob, ordered by their paths in code units. `**` matches any folders,
 * `*` and `?` match characters of one name, `{a,b}` matches one of several. Names with a leading dot must be
 * given. It follows symbolic links, and visits each folder once.
 */
import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import { stepMatcher, stepsOf } from './glob.ts'
import { type MayOpen, mayOpenAll } from './stays-inside.ts'

export interface SearchLimits {
  /** The number of files that a source may have. */
  readonly files: number
  /** The number of names of files and folders that are looked at. */
  readonly names: number
}

export interface SearchOptions {
  /** Called with a matching link whose target does not exist. */
  readonly onDangling?: (path: string) => void
  /** Asked before a folder or a file is looked at that a pattern or a link leads to; default: all may be. */
  readonly mayOpen?: MayOpen
}

/** Thrown when a pattern finds more than a source may have, such as a pattern for the whole disk. */
export class SearchTooLarge extends Error {}

/** Thrown when a search leads to what may not be opened. */
export class SearchRefused extends Error {}

/**
 * Returns absolute paths. Throws the error of the file system if a folder is missing or cannot be read,
 * `SearchTooLarge` and `SearchRefused`.
 */
export async function findFiles(
  root: string,
  folder: string,
  glob: string,
  limits: SearchLimits,
  options: SearchOptions = {},
): Promise<string[]> {
  const base = isAbsolute(folder) ? folder : resolve(root, folder)
  const found = new Findings(limits, options)
  found.allow(base)
  await stat(base)
  const steps = stepsOf(glob)
  await walk(base, steps, found, new Set([await realpath(base)]))
  return [...found.files].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
}

class Findings {
  readonly files = new Set<string>()
  readonly #limits: SearchLimits
  readonly #onDangling: (path: string) => void
  readonly #mayOpen: MayOpen
  #names = 0

  constructor(limits: SearchLimits, { onDangling = () => undefined, mayOpen = mayOpenAll }: SearchOptions) {
    this.#limits = limits
    this.#onDangling = onDangling
    this.#mayOpen = mayOpen
  }

  /** Throws `SearchRefused`. */
  allow(path: string): void {
    if (!this.#mayOpen(path)) throw new SearchRefused(path)
  }

  look(names: number): void {
    this.#names += names
    if (this.#names <= this.#limits.names) return
    throw new SearchTooLarge(`its pattern looks at more than ${this.#limits.names} names (limits.names)`)
  }

  /** Adds a file; what was deleted meanwhile is none, and a link that leads nowhere is told. */
  async addFile(path: string): Promise<void> {
    this.allow(path)
    const found = await statOf(path)
    if (found?.isFile() === true) this.add(path)
    if (found === undefined && (await lstat(path).catch(() => undefined))?.isSymbolicLink() === true)
      this.#onDangling(path)
  }

  add(path: string): void {
    this.files.add(path)
    if (this.files.size <= this.#limits.files) return
    throw new SearchTooLarge(`its pattern matches more than ${this.#limits.files} files (limits.files)`)
  }
}

async function walk(
  folder: string,
  steps: readonly string[],
  found: Findings,
  above: ReadonlySet<string>,
): Promise<void> {
  const [step, ...rest] = steps
  if (step === undefined) return
  if (step === '..') {
    found.allow(join(folder, '..'))
    return walk(join(folder, '..'), rest, found, new Set())
  }
  if (step === '**') {
    await walk(folder, rest.length === 0 ? ['*'] : rest, found, above)
    for (const child of await entries(folder, name => !name.startsWith('.'), found))
      await descend(folder, child, steps, found, above)
    return
  }
  for (const child of await entries(folder, stepMatcher(step), found)) {
    if (rest.length > 0) await descend(folder, child, rest, found, above)
    else await found.addFile(join(folder, child))
  }
}

async function descend(
  folder: string,
  child: string,
  steps: readonly string[],
  found: Findings,
  above: ReadonlySet<string>,
): Promise<void> {
  const path = join(folder, child)
  found.allow(path)
  if (!(await isFolder(path))) return
  const real = await realpath(path)
  // A link to a folder above would recurse without end.
  if (above.has(real)) return
  await walk(path, steps, found, new Set([...above, real]))
}

async function entries(
  folder: string,
  wanted: (name: string) => boolean,
  found: Findings,
): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })
  found.look(names.length)
  return names.filter(wanted)
}

async function isFolder(path: string): Promise<boolean> {
  return (await statOf(path))?.isDirectory() ?? false
}

/** Returns undefined for a file that was deleted meanwhile and for a broken link. */
async function statOf(path: string) {
  return await stat(path).catch(() => undefined)
}
