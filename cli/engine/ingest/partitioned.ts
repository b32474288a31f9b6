/** Files in folders named `key=value`: the columns that the folders stand for, and which file belongs to which folder. */
import {
  clashOf,
  clashText,
  partitionPath,
  type SourceField,
  type SourceType,
  withPartitions,
} from '@svc/server/language'
import { SvcError } from '../errors.ts'
import type { LocalFiles } from './local-files.ts'

/** Returns the record with the columns of its folders. Throws SvcError `source-shape` if the files have one of them too. */
export function withFolders(type: SourceType, partitions: readonly SourceField[]): SourceType {
  const clash = clashOf(type, partitions)
  if (clash === undefined) return withPartitions(type, partitions)
  const { message, hint } = clashText(clash)
  throw new SvcError('source-shape', message, { hint })
}

export function keysOf({ partitions }: Pick<LocalFiles, 'partitions'>): readonly string[] {
  return partitions.map(({ name }) => name)
}

/** Returns what the content of the files is hashed from: a file that moves to another folder is another content. */
export function contentText({ found, partitions }: LocalFiles, hashes: readonly string[]): string {
  if (partitions.length === 0) return hashes.join('\n')
  return found.map(({ name }, index) => `${hashes[index] ?? ''} ${partitionPath(name)}`).join('\n')
}
