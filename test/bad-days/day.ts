/** A bad day as a value: what happens to a deployed project, what a command says of it, and what is in production then. */
import type { LineOptions, Said } from '../cli/bad-input/command-line.ts'
import type { RunOptions } from '../support/cli.ts'
import type { RestHandler } from '../support/rest-server.ts'

export type Row = Readonly<Record<string, unknown>>
export type Rows = Readonly<Record<string, readonly Row[]>>

/** The rows of the first or the second day in every view, or what differs from them; null: there is no such view. */
export type Production =
  | 'day 1'
  | 'day 2'
  | 'unreadable'
  | {
      /** As the page says it. */
      readonly says: string
      readonly like: 'day 1' | 'day 2'
      readonly but: Readonly<Record<string, readonly Row[] | null>>
    }

export interface Place {
  readonly root: string
  /** Of the API; in the files of a day it is written as `<origin>`. */
  readonly origin: string
  /** `null` deletes the file. */
  write(path: string, text: string | Uint8Array | null): void
  read(path: string): Buffer
  /** Runs `svc` in this process. */
  line(words: readonly string[], options?: LineOptions): Promise<Said>
  /** Runs `svc` in a process of its own. */
  process(words: readonly string[], options?: RunOptions): Promise<Said>
  /** Runs `svc` and sends it the signal as soon as its output has the text. */
  interrupted(words: readonly string[], signal: NodeJS.Signals, text: string): Promise<Said>
  /** Changes the warehouse behind the back of svc. */
  sql(...statements: readonly string[]): Promise<void>
  /** The API answers so from now on. */
  answer(handler: RestHandler): void
}

export interface Day {
  /** What happens, as the page shows it. */
  readonly name: string
  /** Begins in a project in which nothing has failed before. */
  readonly alone?: true
  /** Files that differ from those of the second day; null: there is none. */
  readonly files?: Readonly<Record<string, string | Uint8Array | null>>
  /** What the API answers instead of the customers of the second day. */
  readonly answer?: RestHandler
  readonly env?: Readonly<Record<string, string>>
  /** What the clock of svc shows, in hours from now. */
  readonly clock?: number
  /** May return a word that takes the place of `<run>` in the command. */
  readonly before?: (place: Place) => unknown
  /** The words behind `svc`; absent: `run --env prod`. */
  readonly command?: string
  /** Instead of running the command in this process. */
  readonly run?: (place: Place, words: readonly string[]) => Promise<Said>
  readonly after?: (place: Place) => unknown
  /** null: the process was killed. */
  readonly code: number | null
  /** What is in production after it; absent: the first day, and nothing was deployed. */
  readonly production?: Production
  /** The advice of the page. */
  readonly todo: string
  /** The command of the next day, when all is well again; absent: `run --env prod`. */
  readonly next?: string
  /** What is in production after the next day; absent: the second day. */
  readonly then?: Production
}

export interface Group {
  readonly title: string
  readonly days: readonly Day[]
}
