/**
 * What is known of one run that is watched: its lines, what each asset does, how it ended. Pure: events in, a new value
 * out. Lines beyond the newest 10,000 are dropped and counted.
 */
import type { StreamEvent } from '../protocol.ts'
export type AssetStep = Extract<
  StreamEvent,
  {
    type: 'status'
  }
>
export interface RunLog {
  readonly runId: string
  readonly selector: string
  readonly startedMs: number
  readonly lines: readonly LogLine[]
  readonly dropped: number
  readonly steps: ReadonlyMap<string, AssetStep>
  /** undefined: it runs. */
  readonly end:
    | Extract<
        StreamEvent,
        {
          type: 'end'
        }
      >
    | undefined
  readonly connection: 'open' | 'lost'
}
export interface LogLine {
  /** Counts from 0 over the whole run: stays the line's when older ones are dropped. */
  readonly number: number
  readonly text: string
  readonly asset: string | null
}
export declare function newRunLog(runId: string, selector: string, startedMs: number): RunLog
/** All events of one moment at once: a run may write thousands of lines a second. */
export declare function withEvents(log: RunLog, events: readonly StreamEvent[]): RunLog
/** Lines of one asset (null: of all), with the text in them; the case of letters does not count. */
export declare function linesWith(log: RunLog, asset: string | null, typed: string): readonly LogLine[]
export declare function textOf(lines: readonly LogLine[]): string
/** One line for the status bar and for screen readers. */
export declare function summaryOf(log: RunLog): string
