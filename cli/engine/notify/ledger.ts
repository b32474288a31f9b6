/**
 * What notifiers were told, in `.svc/<environment>/notify.json`: so that a problem that stays is told once, over any number
 * of runs. An entry is written before its message is sent and marked as told after it. A process that dies between the two
 * leaves a claim, which ends; then the same message is sent again under the same id.
 */
import { closeSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { readJson } from '../artifacts/read-file.ts'
import { removeQuietly, writeWhole } from '../artifacts/write-file.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { ProblemEvent } from './problems.ts'

export interface Entry {
  readonly event: ProblemEvent
  readonly asset: string | null
  readonly text: string
  readonly place: string | null
  readonly since: string
  /** When it was told last; null if never. */
  readonly told: string | null
  /** When a process began to tell it, and has not said what came of it. */
  readonly claimed: string | null
  /** When it was found to have ended; null while it stands. */
  readonly well: string | null
}

export interface Told {
  /** Problems that stand, and ends that are still to be told. */
  readonly open: Readonly<Record<string, Entry>>
  /** When messages were sent, in the last hour. */
  readonly sent: readonly string[]
}

type Ledger = Readonly<Record<string, Told>>

const nothingTold: Told = { open: {}, sent: [] }

const lockedMs = 2_000
const deadLockMs = 30_000

/** Changes the ledger while no other process does; what `change` returns beside the ledger is returned. */
export async function withLedger<T>(
  workspace: Workspace,
  change: (told: (notifier: string) => Told) => { readonly next: Ledger; readonly result: T },
): Promise<T> {
  const folder = await workspace.stateFolder()
  const release = await lock(join(folder, 'notify.lock'))
  try {
    const path = join(folder, 'notify.json')
    // A file that is gone or broken means that nothing was told: a problem is told once more.
    const ledger = readJson<Ledger>(path) ?? {}
    const { next, result } = change(name => ledger[name] ?? nothingTold)
    writeWhole(path, `${JSON.stringify({ ...ledger, ...next }, undefined, 2)}\n`, workspace.world.pid)
    return result
  } finally {
    release()
  }
}

/** Whoever waits too long goes on without it: at worst something is told twice. */
async function lock(path: string): Promise<() => void> {
  for (const until = Date.now() + lockedMs; Date.now() < until; await setTimeout(25)) {
    try {
      closeSync(openSync(path, 'wx'))
      return () => removeQuietly(path)
    } catch {
      if (isDead(path)) removeQuietly(path)
    }
  }
  return () => {}
}

function isDead(path: string): boolean {
  try {
    return Date.now() - statSync(path).mtimeMs > deadLockMs
  } catch {
    return false
  }
}
