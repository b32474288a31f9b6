/**
 * Finds what names an engine outside of its rooms. An engine is its description, what is asked of it when it is
 * embedded, and its warehouse with its store of state; all other code asks the engine of the project.
 */
import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { sourceFiles } from './imports.ts'

/** The hosted store has databases of its own, which are no engines of projects. */
const workspaces = ['server', 'cli', 'webview', 'extension']

/** As they stand in names of rooms, identifiers and texts. */
const engineNames = /duckdb|postgres|trino/i

const rooms =
  /^(server\/language\/engines|server\/catalog|cli\/engine\/warehouse)\/(duckdb|postgres|trino)(\/|\.ts$)/

/** Files that name an engine in code: comments are for people. */
export function namingFiles(root: string): readonly string[] {
  return filesOf(root).filter(file => !rooms.test(file) && engineNames.test(codeOf(join(root, file))))
}

/** Files that take the first engine there is instead of that of the project. */
export function unhandedFiles(root: string): readonly string[] {
  return filesOf(root).filter(
    file => !rooms.test(file) && /\bengines(\[0\]|\.at\(0\))/.test(codeOf(join(root, file))),
  )
}

function filesOf(root: string): readonly string[] {
  return workspaces
    .flatMap(workspace => sourceFiles(join(root, workspace)))
    .map(path => relative(root, path).split(sep).join('/'))
    .sort()
}

function codeOf(path: string): string {
  return readFileSync(path, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '')
}
