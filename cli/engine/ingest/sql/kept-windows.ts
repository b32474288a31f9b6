/** The windows of a table that are in the spool: a fetch that broke off goes on behind them. */
import { statSync } from 'node:fs'
import { clearSpool, findProgress, saveProgress } from '../progress-file.ts'
import { type FetchContext, keptInVain } from '../source.ts'
import type { RowSpool } from './row-spool.ts'

export interface WindowsDone {
  /** The greatest value of the cursor when the first window was read, up to which the windows reach. */
  readonly end: string
  /** Where the next window begins; absent behind the last one. */
  readonly next?: string
  /** The rows and bytes of each window. */
  readonly windows: readonly { readonly rows: number; readonly bytes: number }[]
}

export interface KeptWindows {
  /** What an earlier fetch has read, which is in the spool then; undefined if nothing. */
  readonly found: WindowsDone | undefined
  save(done: WindowsDone): void
}

/** @param definition the hash of everything that decides which rows are read */
export async function keptWindows(
  context: Pick<FetchContext, 'spoolFolder' | 'now' | 'onProgress' | 'onWarning'>,
  definition: string,
  spool: RowSpool,
): Promise<KeptWindows> {
  const { spoolFolder, now, onProgress } = context
  const save = (done: WindowsDone) => {
    const isDone = done.next === undefined
    saveProgress(spoolFolder, { definition, isDone, savedAt: now().toISOString(), checkpoint: done })
  }
  const note = (text: string) => onProgress({ rows: spool.rows, bytes: spool.bytes, pages: 1, note: text })
  const saved = findProgress(spoolFolder, definition, now())
  if (saved.kind === 'progress') {
    const done = saved.checkpoint as WindowsDone
    if (areThere(done, spool)) {
      for (const [index, { rows }] of done.windows.entries()) spool.keep(index, rows)
      note(
        done.next === undefined
          ? 'all windows are kept'
          : `going on from ${done.next}: ${spool.rows} rows are kept`,
      )
      return { found: done, save }
    }
    keptInVain(context, 'what an earlier fetch kept is damaged: starting over')
  }
  if (saved.kind === 'unusable') keptInVain(context, saved.note)
  await clearSpool(spoolFolder)
  return { found: undefined, save }
}

function areThere({ windows }: WindowsDone, spool: RowSpool): boolean {
  return windows.every(
    ({ bytes }, index) => statSync(spool.pathOf(index), { throwIfNoEntry: false })?.size === bytes,
  )
}
