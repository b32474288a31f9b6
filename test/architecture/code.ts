/** The files that the rules of this folder look through, and the code in them. */
import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { sourceFiles } from './imports.ts'

/** Returns the source files of these folders, sorted, relative to `root` and with `/` on every system. */
export function codeFiles(root: string, folders: readonly string[]): readonly string[] {
  return folders
    .flatMap(folder => sourceFiles(join(root, folder)))
    .map(path => relative(root, path).split(sep).join('/'))
    .sort()
}

/** Returns the text of a file without its comments, which are for people. */
export function codeOf(path: string): string {
  return readFileSync(path, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '')
}
