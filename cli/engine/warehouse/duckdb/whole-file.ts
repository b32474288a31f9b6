/** Readers and copies of a DuckDB file that miss nothing of what a killed process left in a log beside it. */
import { SvcError } from '../../errors.ts'
import type { Backup, OpenOptions, WaitingLog, WarehouseSession } from '../warehouse.ts'
import { canonicalPath, instances } from './open-instances.ts'
import { bytesIn, logsBeside } from './waiting-log.ts'

interface WholeFile {
  readonly file: string
  readonly label: string
  readonly openSession: (
    file: string,
    mode: 'read' | 'write',
    options: OpenOptions,
  ) => Promise<WarehouseSession>
}

export function wholeFile({ file, label, openSession }: WholeFile) {
  async function openToRead(options: OpenOptions): Promise<WarehouseSession> {
    const waited = bytesIn(await logsBeside(file))
    if (waited > 0) await foldLog()
    const session = await openSession(file, 'read', options)
    if (waited > 0) options.onLog?.(await waitingLog(waited))
    return session
  }

  /**
   * Brings what a killed process left in the log into the file, as the next one that writes would. Where that cannot be done
   * now, because somebody has the file open or may only read it, whoever reads gets it from the log.
   */
  async function foldLog(): Promise<void> {
    if (instances.has(canonicalPath(file))) return
    try {
      await openOnce(file, { waitMs: 0 })
    } catch (error) {
      if (!(error instanceof SvcError)) throw error
    }
  }

  /** Closing brings the log into the file too, but blocks the process meanwhile. */
  async function openOnce(path: string, options: OpenOptions): Promise<void> {
    const session = await openSession(path, 'write', options)
    session.settle?.(false)
    await session.close()
  }

  async function waitingLog(waited: number): Promise<WaitingLog> {
    const bytes = bytesIn(await logsBeside(file))
    return { name: `${label}.wal`, bytes: bytes || waited, isFolded: bytes === 0 }
  }

  async function backup(target: string, options: OpenOptions): Promise<Backup> {
    let log: WaitingLog | undefined
    const onLog = (found: WaitingLog) => {
      log = found
    }
    const session = await openToRead({ ...options, onLog })
    try {
      const { copyDatabase } = await import('./backup.ts')
      const once = (path: string) => openOnce(path, {})
      return { bytes: await copyDatabase({ file, target, signal: options.signal, openOnce: once }), log }
    } finally {
      await session.close()
    }
  }

  return { open: openToRead, backup }
}
