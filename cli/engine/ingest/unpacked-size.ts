/**
 * Refuses packed files that hold more than a source may take: a few kilobytes can unpack to gigabytes. Files are
 * looked at before anything else reads them.
 */
import { stat } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { pieceSize, readInPieces, zstdFileSize } from '@svc/server/catalog'
import { packingOf, type SourceLimits } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { passTo, shownSize } from './rest/body.ts'

export type UnpackedLimits = Pick<SourceLimits, 'ratio' | 'totalBytes'>

/** Below this size nothing that a small file unpacks to can do harm. */
const harmlessBytes = 16 << 20

export function isPacked(path: string): boolean {
  return packingOf(path) !== undefined
}

/** Throws `source-unreadable` for files that unpack to more than the limits allow. */
export async function refuseBombs(
  paths: readonly string[],
  limits: UnpackedLimits,
  signal: AbortSignal,
): Promise<void> {
  let before = 0
  for (const path of paths.filter(isPacked)) {
    const judge = (unpacked: number, packed: number) =>
      refuseUnpacked(path, { unpacked, packed, before }, limits)
    before += packingOf(path) === 'gz' ? await gzipSize(path, judge, signal) : await zstdSize(path, judge)
  }
}

/** Sizes of a packed file as far as it was read. */
export interface Unpacked {
  readonly unpacked: number
  readonly packed: number
  /** What the files of the source before it unpacked to. */
  readonly before: number
}

export function refuseUnpacked(
  path: string,
  { unpacked, packed, before }: Unpacked,
  limits: UnpackedLimits,
): void {
  if (before + unpacked > limits.totalBytes) {
    const together = before === 0 ? '' : ', together with the files before it'
    const size = shownSize(limits.totalBytes)
    throw tooLarge(path, `unpacks to more than ${size}${together} (limits.total)`, 'total')
  }
  if (unpacked <= harmlessBytes || unpacked <= packed * limits.ratio) return
  throw tooLarge(path, `unpacks to more than ${limits.ratio} times its size (limits.ratio)`, 'ratio')
}

function tooLarge(path: string, message: string, key: string): SvcError {
  return new SvcError('source-unreadable', `"${path}" ${message}`, {
    hint: `Raise ingest.limits.${key} if that is right.`,
  })
}

type Judge = (unpacked: number, packed: number) => void

async function gzipSize(path: string, judge: Judge, signal: AbortSignal): Promise<number> {
  const file = readInPieces(path, signal)
  const text = passTo(file, createGunzip({ chunkSize: pieceSize }))
  let unpacked = 0
  try {
    for await (const chunk of text as AsyncIterable<Buffer>) {
      unpacked += chunk.length
      judge(unpacked, file.bytesRead)
    }
  } finally {
    file.destroy()
  }
  return unpacked
}

async function zstdSize(path: string, judge: Judge): Promise<number> {
  const unpacked = zstdFileSize(path)
  judge(unpacked, (await stat(path)).size)
  return unpacked
}
