/** The `--json` outputs of commands about what is kept: logs, copies, and what is no longer needed. */
import { Cause, RunEnding, RunKind, RunStatus, RunVerdict } from './parts.ts'
import {
  anyOf,
  anything,
  count,
  document,
  flag,
  list,
  mapOf,
  nullable,
  number,
  object,
  oneOf,
  text,
  time,
} from './schema.ts'

export const gcSchema = document(
  'svc gc --json',
  object({
    environment: text,
    dry_run: flag,
    relations: list(object({ schema: text, name: text, kind: oneOf('table', 'view'), bytes: count })),
    schemas: list(text),
    environments: list(object({ name: text, views: list(text), unused_days: count })),
    files: list(object({ path: text, bytes: count })),
    records: count,
    bytes: count,
    seconds: number,
  }),
)

export const backupSchema = document(
  'svc backup --json',
  object({
    environment: text,
    warehouse: text,
    file: text,
    bytes: count,
    /** What waited beside the file of the warehouse, and is in the copy. */
    log: nullable(object({ file: text, bytes: count, folded: flag })),
    seconds: number,
  }),
)

const keptLog = object({
  run_id: text,
  kind: nullable(RunKind),
  environment: nullable(text),
  selector: nullable(text),
  status: RunStatus,
  ending: RunEnding,
  verdict: RunVerdict,
  /** How many warnings it had. */
  warned: count,
  /** The first of all that failed, and how many more there are. */
  causes: list(Cause),
  more_causes: count,
  promoted: flag,
  started_at: nullable(time),
  finished_at: nullable(time),
  seconds: nullable(number),
  failure: nullable(object({ code: text, message: text, asset: nullable(text), place: nullable(text) })),
  bytes: count,
  changed_at: time,
  /** Whether it began later than it is now: the clock of its machine was ahead. */
  in_future: flag,
})

export const logsSchema = document(
  'svc logs --json',
  anyOf([object({ run_id: text, events: list(mapOf(anything)) }), object({ logs: list(keptLog) })]),
)
