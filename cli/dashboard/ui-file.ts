/**
 * Writes `.svc/ui.json`: the address of this project's dashboard and the token for programs. Only its owner
 * can read it.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface UiFile {
  readonly url: string
  /** The token for `Authorization: Bearer <token>`. */
  readonly token: string
  readonly pid: number
  readonly environment: string
}

export function writeUiFile(root: string, file: UiFile, pid: number): void {
  const path = pathOf(root)
  const draft = `${path}.${pid}.tmp`
  mkdirSync(join(root, '.svc'), { recursive: true })
  rmSync(draft, { force: true })
  writeFileSync(draft, `${JSON.stringify(file, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' })
  renameSync(draft, path)
}

/** Deletes only its own file, because another dashboard of this project may have replaced it. */
export function forgetUi(root: string, token: string): void {
  try {
    const { token: current } = JSON.parse(readFileSync(pathOf(root), 'utf8')) as UiFile
    if (current === token) rmSync(pathOf(root), { force: true })
  } catch {
    // The file does not exist any more.
  }
}

function pathOf(root: string): string {
  return join(root, '.svc', 'ui.json')
}
