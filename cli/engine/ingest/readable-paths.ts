/**
 * Paths by which the reader takes folders for what they are named: it would read `key=NULL` as no value, and takes the same
 * text from a link whose folder is written with an escape.
 */
import { copyFile, mkdir, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { hasNullText, partitionPath } from '@svc/server/language'
import type { LocalFiles } from './local-files.ts'

export async function readablePaths({ found, context, partitions }: LocalFiles): Promise<readonly string[]> {
  if (partitions.length === 0) return found.map(({ path }) => path)
  return await Promise.all(
    found.map(async ({ path, name }, index) => {
      if (!hasNullText(name)) return path
      const folder = join(context.spoolFolder, 'links', String(index), partitionPath(name))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const link = join(folder, basename(path))
      // Not every system lets everybody make links.
      await symlink(path, link).catch(() => copyFile(path, link))
      return link
    }),
  )
}
