/** The files of a project as they stand on disk, for the editor: what cannot be read is logged and left out. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Diagnostic, glossaryPath } from '../../language/index.ts'
import { encodingProblems, schemaLockFile, settingsFile } from '../../workspace/index.ts'
import type { Log } from '../log.ts'

/** Beside the assets, the files that a project is made of. */
export const projectFiles: readonly string[] = [settingsFile, glossaryPath, schemaLockFile]

export interface FileRead {
  readonly text: string
  /** What is wrong with its bytes. */
  readonly problems: readonly Diagnostic[]
}

/** Undefined where there is none, or where it cannot be read. */
export function readProjectFile(root: string, path: string, log: Log): FileRead | undefined {
  const file = join(root, path)
  try {
    if (!existsSync(file)) return undefined
    const text = readFileSync(file, 'utf8')
    return { text, problems: encodingProblems(root, [[path, text]]) }
  } catch (error) {
    if (!isGone(error)) log.warn(`cannot read ${file} (${codeOf(error)})`)
    return undefined
  }
}

/** The file was removed since somebody saw it. */
export function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(codeOf(error))
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
