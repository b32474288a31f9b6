/** Patches for tests, with the hashes of the files as they are. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Patch, PatchOp } from '../../../server/contract/index.ts'

export function hashOf(root: string, path: string): string | null {
  const full = join(root, path)
  const isFile = existsSync(full) && statSync(full).isFile()
  return isFile ? createHash('sha256').update(readFileSync(full)).digest('hex') : null
}

export function patchOf(root: string, files: Readonly<Record<string, readonly PatchOp[]>>): Patch {
  return {
    version: 1,
    files: Object.entries(files).map(([path, ops]) => ({
      path,
      base_sha256: hashOf(root, path),
      ops: [...ops],
    })),
  }
}

/** Every file of a project with its hash, but for what svc keeps for itself. */
export function filesOf(root: string): Readonly<Record<string, string | null>> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter(name => !`/${name}`.includes('/.svc/'))
  return Object.fromEntries(names.sort().map(name => [name, hashOf(root, name)]))
}
