/** What a publish, or a look at one, has to tell. */
import type { Warning } from '@svc/server/contract'
import type { PublishMode } from '@svc/server/language'
import type { PublishCounts, PublishReject } from '../state/state.ts'
import type { Operation } from './destination.ts'

export interface PublishReport {
  readonly runId: string
  readonly environment: string
  readonly asset: string
  /** The run that built what was read of production. */
  readonly builtBy: string
  /** What a row is made of at the target; the column is undefined for the mark of a row that is gone. */
  readonly fields: readonly { readonly name: string; readonly column: string | undefined }[]
  readonly target: string
  readonly type: string
  /** Where it is, without secrets. */
  readonly place: string
  readonly mode: PublishMode
  readonly status: 'planned' | 'published'
  /** What was about to be sent. */
  readonly planned: PublishCounts
  /** What the target acknowledged; nothing of a plan. */
  readonly done: PublishCounts
  /** How many rows the target had acknowledged before. */
  readonly known: number
  /** Whether the table is not there yet, or was made. */
  readonly creates: boolean
  /** Of a plan: some of the rows, personal values masked. */
  readonly samples: readonly {
    readonly operation: Operation
    readonly row: Readonly<Record<string, unknown>>
  }[]
  /** Rows that were not sent or not taken, the first of them, personal values masked. */
  readonly rejects: readonly PublishReject[]
  /** The fields whose values are masked. */
  readonly masked: readonly string[]
  readonly warnings: readonly Warning[]
  readonly resumed:
    | { readonly runId: string; readonly acknowledged: number; readonly inDoubt: number }
    | undefined
  readonly seconds: number
}

export const noCounts: PublishCounts = {
  inserts: 0,
  updates: 0,
  deletes: 0,
  unchanged: 0,
  invalid: 0,
  refused: 0,
}
