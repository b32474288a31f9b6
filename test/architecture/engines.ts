/**
 * Finds what names an engine outside of its rooms. An engine is its description, what is asked of it when it is
 * embedded, and its warehouse with its store of state; all other code asks the engine of the project.
 */
import { join } from 'node:path'
import { codeFiles, codeOf } from './code.ts'

/** The hosted store has databases of its own, which are no engines of projects. */
const workspaces = ['server', 'cli', 'webview', 'extension']

/** As they stand in names of rooms, identifiers and texts. */
const engineNames = /duckdb|postgres|trino/i

/**
 * Databases that rows are read from or sent to have rooms of their own, whatever the engine of the project. An entry of the
 * table of habits says what one is on each engine.
 */
const rooms =
  /^server\/language\/engines\/habits\/|^cli\/engine\/(ingest\/sql|publish)\/|^server\/language\/destinations\/|^(server\/language\/engines|server\/catalog|cli\/engine\/warehouse|cli\/engine\/import\/dbt)\/(duckdb|postgres|trino)(\/|\.ts$)/

/** Files that name an engine in code: comments are for people. */
export function namingFiles(root: string): readonly string[] {
  return codeFiles(root, workspaces).filter(
    file => !rooms.test(file) && engineNames.test(codeOf(join(root, file))),
  )
}

/** Files that take the first engine there is instead of that of the project. */
export function unhandedFiles(root: string): readonly string[] {
  return codeFiles(root, workspaces).filter(
    file => !rooms.test(file) && /\bengines(\[0\]|\.at\(0\))/.test(codeOf(join(root, file))),
  )
}
