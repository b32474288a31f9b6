/**
 * The journal of the running command of an environment: one line per event, in a file under `.svc/`. If the
 * process dies, the next command reads there how far it came. The state tables remain the source of truth:
 * without the journal a command reports less but does the same.
 */

import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunEvent, RunKind, RunStage } from '@svc/server/contract'
import type { Workspace } from '../workspace/workspace.ts'
import type { EmitEvent } from './events.ts'
import type { RunRequest } from './run.ts'

/** The options of a run besides its selector. */
export type RunOptions = Pick<
  RunRequest,
  'noIngest' | 'allTests' | 'threads' | 'promotion' | 'strict' | 'refresh' | 'refreshSalt' | 'vars'
>

export interface JournalBegin {
  readonly runId: string
  readonly kind: RunKind | 'gc'
  readonly selector: string | null
  readonly options: RunOptions
  readonly pid: number
  /** What earlier dead runs had completed, if this run continues from them. */
  readonly before?: Complete
}

interface Complete {
  /** The planned number of sources; what is complete of them is on the disk. */
  readonly sources: number | null
  /** The runs that made these builds, and the planned number of builds. */
  readonly runIds: readonly string[]
  readonly builds: number | null
}

export interface JournalOfRun extends JournalBegin, Complete {
  readonly stage: RunStage | 'start'
  /** ISO 8601 UTC time of the last event. */
  readonly at: string
  /** Whether the command ended by itself; otherwise its process died or is running. */
  readonly ended: boolean
}

type Line =
  | { readonly begin: JournalBegin; readonly at: string }
  | { readonly stage: RunStage; readonly items: number; readonly at: string }
  | { readonly end: true; readonly at: string }

export interface Journal {
  /** The journal of the previous command. */
  readonly last: JournalOfRun | undefined
  /** Whether the command has begun its own, which it does when it has the warehouse open. */
  readonly isOpen: boolean
  begin(): void
  /** Passes events on and records them. */
  listen(emit: EmitEvent): EmitEvent
  /** Ends the journal. `keep`: the run failed, and `svc retry` needs its options. */
  end(keep: boolean): void
}

/**
 * Returns the folder of an environment's journal and spools, which differs by branch and warehouse. It is not
 * created here, because read-only commands such as `plan` must work where nothing can be written.
 */
export async function workFolder({ root, environment }: Workspace): Promise<string> {
  const warehouse = createHash('sha256').update(environment.warehouseUrl).digest('hex').slice(0, 8)
  return join(root, '.svc', environment.name, 'work', `${environment.stateName}-${warehouse}`)
}

export const journalFile = 'journal.ndjson'

export function openJournal(folder: string, facts: Omit<JournalBegin, 'before'>, now: () => Date): Journal {
  const path = join(folder, journalFile)
  const last = readJournal(folder)
  let isOpen = false

  function write(line: Line): void {
    if (isOpen) quietly(() => appendFileSync(path, `${JSON.stringify(line)}\n`))
  }

  return {
    last,
    get isOpen() {
      return isOpen
    },
    begin() {
      const begin = last === undefined || last.ended ? facts : { ...facts, before: completeOf(last) }
      quietly(() => {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        writeFileSync(path, `${JSON.stringify({ begin, at: now().toISOString() })}\n`)
        isOpen = true
      })
    },
    listen: emit => event => {
      const line = lineOf(event, now().toISOString())
      if (line !== undefined) write(line)
      emit(event)
    },
    end(keep) {
      if (keep) write({ end: true, at: now().toISOString() })
      else if (isOpen) removeEmptied(folder, path)
      isOpen = false
    },
  }
}

function lineOf(event: RunEvent, at: string): Line | undefined {
  return event.type === 'stage' ? { stage: event.stage, items: event.items, at } : undefined
}

/**
 * The folder goes where it holds nothing else, such as a spool. Those around it stay: others may be making theirs in them at
 * this moment, and would find that they are gone.
 */
function removeEmptied(folder: string, path: string): void {
  quietly(() => rmSync(path, { force: true }))
  quietly(() => rmdirSync(folder))
}

/** If the journal cannot be written, a message after a crash says less, but the run succeeds. */
function quietly(work: () => void): void {
  try {
    work()
  } catch {
    // The run itself reports if it cannot write.
  }
}

function completeOf({ sources, runIds, builds }: JournalOfRun): Complete {
  return { sources, runIds, builds }
}

/** Returns undefined if there is no journal, or nothing in it can be read. */
export function readJournal(folder: string): JournalOfRun | undefined {
  let text: string
  try {
    text = readFileSync(join(folder, journalFile), 'utf8')
  } catch {
    return undefined
  }
  return journalOf(text.split('\n').flatMap(line => parseLine(line) ?? []))
}

/** The last line may be truncated. */
function parseLine(line: string): Line | undefined {
  try {
    return JSON.parse(line) as Line
  } catch {
    return undefined
  }
}

function journalOf(lines: readonly Line[]): JournalOfRun | undefined {
  const [first, ...rest] = lines
  if (first === undefined || !('begin' in first)) return undefined
  const { begin } = first
  let facts: Pick<JournalOfRun, 'stage' | 'sources' | 'builds' | 'runIds'> = {
    stage: 'start',
    sources: begin.before?.sources ?? null,
    builds: begin.before?.builds ?? null,
    runIds: begin.before?.runIds ?? [begin.runId],
  }
  for (const line of rest) {
    if (!('stage' in line)) continue
    facts = { ...facts, stage: line.stage }
    if (line.stage === 'fetch') facts = { ...facts, sources: line.items }
    if (line.stage === 'build') facts = { ...facts, builds: line.items, runIds: [begin.runId] }
  }
  const ended = lines.some(line => 'end' in line)
  return { ...begin, ...facts, at: lines.at(-1)?.at ?? first.at, ended }
}
