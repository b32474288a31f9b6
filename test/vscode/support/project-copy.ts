/** A copy of a project that a test may change, and take back. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

export interface ProjectOptions {
  /** Folder of the project, relative to the root of the repository; undefined: an empty folder. */
  readonly project?: string
  /** What the copy is called. */
  readonly name?: string
  /** Files that are added to the copy, by path. */
  readonly files?: Readonly<Record<string, string>>
}

export interface ProjectCopy {
  readonly folder: string
  change(path: string, old: string, text: string): void
  /** Files as they were copied: changed ones written back, new ones removed. What was run stays. */
  restore(): void
}

export function copyProject(
  root: string,
  parent: string,
  { project, name, files = {} }: ProjectOptions,
): ProjectCopy {
  const folder = join(parent, name ?? project?.split('/').at(-1) ?? 'empty')
  mkdirSync(folder, { recursive: true })
  if (project !== undefined)
    cpSync(join(root, project), folder, { recursive: true, filter: path => !isOfRuns(path) })
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
  const first = readFiles(folder)
  return {
    folder,
    change(path, old, text) {
      const file = join(folder, path)
      const before = readFileSync(file, 'utf8')
      if (!before.includes(old)) throw new Error(`${path} has no "${old}"`)
      writeFileSync(file, before.replace(old, text))
    },
    restore() {
      for (const path of readFiles(folder).keys()) if (!first.has(path)) rmSync(join(folder, path))
      for (const [path, text] of first) {
        const file = join(folder, path)
        if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, text)
      }
    },
  }
}

/** What svc writes and nobody copies. */
function isOfRuns(path: string): boolean {
  return /[\\/](\.svc|node_modules)([\\/]|$)/.test(path) || /\.(duckdb|wal|lease)$/.test(path)
}

/** Of the whole project. Files that svc writes beside the others are not taken back. */
function readFiles(folder: string): ReadonlyMap<string, string> {
  const written = ['svc_catalog.json', 'schemas.lock.json']
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    path => !isOfRuns(join(folder, path)) && !written.includes(path) && statSync(join(folder, path)).isFile(),
  )
  return new Map(paths.map(path => [path, readFileSync(join(folder, path), 'utf8')]))
}
