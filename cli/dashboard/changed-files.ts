/**
 * The files of the project that differ from what the last catalogue was made of. Only files with a newer time are
 * read, and each of them once.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CatalogFile, ChangedFile, Manifest } from '@svc/server/contract'
import { type FilesStamp, settings } from './watch-files.ts'

export type ChangedFiles = (catalog: CatalogFile, files: FilesStamp) => Promise<readonly ChangedFile[]>

/** `manifest` returns the manifest of the catalogue. */
export function changedFiles(root: string, manifest: () => Promise<Manifest | undefined>): ChangedFiles {
  const hashes = new Map<string, { readonly mtimeMs: number; readonly hash: string | undefined }>()

  async function hashOf(path: string, mtimeMs: number): Promise<string | undefined> {
    const known = hashes.get(path)
    if (known?.mtimeMs === mtimeMs) return known.hash
    const text = await readFile(join(root, path), 'utf8').catch(() => undefined)
    const hash = text === undefined ? undefined : createHash('sha256').update(text).digest('hex')
    hashes.set(path, { mtimeMs, hash })
    return hash
  }

  async function isEdited(path: string, mtimeMs: number, then: string | undefined): Promise<boolean> {
    return then === undefined || (await hashOf(path, mtimeMs)) !== then
  }

  return async (catalog, { times }) => {
    const made = Date.parse(catalog.generated_at)
    const known = new Set(catalog.assets.map(({ path }) => path))
    const newer = [...times].filter(([, mtimeMs]) => mtimeMs > made)
    const texts = newer.length === 0 ? new Map() : textHashes(await manifest())
    const edited: string[] = []
    for (const [path, mtimeMs] of newer) {
      const isKnown = known.has(path) || path === settings
      if (isKnown && (await isEdited(path, mtimeMs, texts.get(path)))) edited.push(path)
    }
    const added = [...times.keys()].filter(path => path !== settings && !known.has(path))
    const deleted = [...known].filter(path => !times.has(path))
    const changes = { edited, added, deleted }
    return (['edited', 'added', 'deleted'] as const).flatMap(change =>
      changes[change].map(path => ({ path, change })),
    )
  }
}

function textHashes(manifest: Manifest | undefined): ReadonlyMap<string, string> {
  const own = manifest?.settings_hash
  const all = manifest?.assets.map(({ path, text_hash }) => [path, text_hash] as const) ?? []
  return new Map([...all, ...(own === undefined ? [] : [[settings, own] as const])])
}
