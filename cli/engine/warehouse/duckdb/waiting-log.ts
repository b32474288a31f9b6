/**
 * What is committed and not in the database's file yet: a process that was killed leaves it in a log beside the file, and a
 * copy of the file alone is without it.
 */
import { stat } from 'node:fs/promises'

/** The log, and the names that a checkpoint or a recovery gives it for a moment. */
export const logEndings = ['.wal', '.wal.checkpoint', '.wal.recovery'] as const

export interface PresentLog {
  readonly ending: string
  readonly bytes: number
}

/** Returns the logs beside a file; an empty one holds nothing. */
export async function logsBeside(file: string): Promise<PresentLog[]> {
  const found = await Promise.all(
    logEndings.map(async ending => {
      const { size: bytes } = (await stat(`${file}${ending}`).catch(() => undefined)) ?? { size: 0 }
      return { ending, bytes }
    }),
  )
  return found.filter(({ bytes }) => bytes > 0)
}

export function bytesIn(logs: readonly PresentLog[]): number {
  return logs.reduce((sum, { bytes }) => sum + bytes, 0)
}
