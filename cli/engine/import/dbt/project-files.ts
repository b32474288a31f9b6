/** Finds and reads the files of a dbt project; nothing outside its folder is ever read. */
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, join, posix, relative, resolve, sep } from 'node:path'
import { SvcError } from '../../errors.ts'
import type { Template } from '../jinja/problem.ts'

/** A file of SQL, YAML or Markdown that is longer is no file that somebody wrote. */
const longestFile = 8_000_000

export class ProjectFiles {
  /** The folder of the dbt project, without links. */
  readonly root: string
  /** Paths that were asked for and lead outside the project, also over a link. */
  readonly outside = new Set<string>()

  /** Throws SvcError `wrong-usage` for a folder that is none. */
  constructor(folder: string) {
    const path = resolve(folder)
    if (!existsSync(join(path, 'dbt_project.yml'))) {
      throw new SvcError('wrong-usage', `no dbt project here: ${path} has no dbt_project.yml`, {
        hint: 'Name the folder that has dbt_project.yml, as in: svc import dbt ../my-dbt -o .',
      })
    }
    this.root = realpathSync(path)
  }

  has(path: string): boolean {
    return this.#inside(path) !== undefined
  }

  /** Throws SvcError `file-failed` for what is not UTF-8. */
  read(path: string): Template {
    const full = this.#inside(path)
    if (full === undefined) throw new SvcError('file-failed', `cannot read ${path} of the dbt project`)
    return { path, text: decoded(readFileSync(full), path) }
  }

  full(path: string): string {
    return resolve(this.root, path)
  }

  /** Returns the files below a folder with one of the endings, in order of name. */
  list(folder: string, endings: readonly string[]): readonly string[] {
    const start = posix.normalize(folder)
    const found: string[] = []
    const walk = (path: string, depth: number): void => {
      const full = this.#inside(path)
      if (full === undefined || depth > 30) return
      for (const entry of readdirSync(full, { withFileTypes: true })) {
        const child = posix.join(path, entry.name)
        if (entry.name.startsWith('.')) continue
        const target = this.#inside(child)
        if (target === undefined) continue
        if (statSync(target).isDirectory()) {
          if (!entry.isSymbolicLink()) walk(child, depth + 1)
        } else if (endings.some(ending => entry.name.toLowerCase().endsWith(ending))) found.push(child)
      }
    }
    const full = this.#inside(start)
    if (full !== undefined && statSync(full).isDirectory()) walk(start, 0)
    return found.sort()
  }

  /** Returns the full path of what is there and inside the project, links followed. */
  #inside(path: string): string | undefined {
    const full = resolve(this.root, path)
    if (!existsSync(full)) return undefined
    const real = realpathSync(full)
    const away = relative(this.root, real)
    if (away !== '..' && !away.startsWith(`..${sep}`) && !isAbsolute(away)) return real
    this.outside.add(path)
    return undefined
  }
}

function decoded(bytes: Uint8Array, path: string): string {
  if (bytes.length > longestFile) {
    throw new SvcError('file-failed', `${path} is too long: ${bytes.length} bytes, 8 million are allowed`)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new SvcError('file-failed', `${path} is not UTF-8`, {
      hint: 'Save it as UTF-8, then import again. Nothing was written.',
      cause,
    })
  }
}
