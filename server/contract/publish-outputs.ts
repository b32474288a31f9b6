/** The JSON outputs of `svc publish`, and of `svc rejects`, which tells of contracts and of destinations. */
import { publishDifference } from './parts.ts'
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
import { Warning } from './warnings.ts'

const contractRejects = object({
  environment: text,
  total: count,
  rejects: list(
    object({
      asset: text,
      run_id: text,
      status: oneOf('rejected', 'refused'),
      kind: oneOf('row', 'value', 'column', 'table'),
      code: oneOf('type', 'null', 'new_column', 'new_table', 'unparsed'),
      child: nullable(text),
      column: nullable(text),
      message: text,
      record: count,
      /** The record or value as JSON; null of a line that is no record where columns are masked: nothing of it is kept. */
      raw: nullable(text),
      rejected_at: time,
      replayed_run_id: nullable(text),
    }),
  ),
})

const publishOperation = oneOf('insert', 'update', 'delete')

/** With `--to`: the rows that a destination did not take in the last publish; key and row are JSON. */
const publishRejects = object({
  environment: text,
  target: text,
  total: count,
  rejects: list(
    object({
      asset: text,
      target: text,
      run_id: text,
      operation: publishOperation,
      key: text,
      reason: text,
      raw: text,
      rejected_at: time,
    }),
  ),
})

export const rejectsSchema = document('svc rejects --json', anyOf([contractRejects, publishRejects]))

const publishCounts = object({
  ...publishDifference,
  /** Rows that the destination did not take. */
  refused: count,
})

export const publishSchema = document(
  'svc publish --json',
  object({
    /** Null of a dry run. */
    run_id: nullable(text),
    environment: text,
    asset: text,
    target: text,
    type: text,
    /** Where it is, without secrets. */
    place: text,
    mode: oneOf('upsert', 'insert', 'update', 'mirror', 'replace'),
    status: oneOf('planned', 'published'),
    planned: publishCounts,
    /** What the destination acknowledged. */
    done: publishCounts,
    /** How many rows it had acknowledged before. */
    known: count,
    /** Whether what is written into was not there. */
    creates: flag,
    /** Of a dry run: some of the rows, with personal data masked. */
    samples: list(object({ operation: publishOperation, row: mapOf(anything) })),
    masked: list(text),
    /** The first rows that were not sent or not taken; key and row are JSON, with personal data masked. */
    rejects: list(object({ operation: publishOperation, key: text, reason: text, raw: text })),
    warnings: list(Warning),
    /** The publish that had stopped, and from which this one went on. */
    resumed: nullable(object({ run_id: text, acknowledged: count, in_doubt: count })),
    seconds: number,
  }),
)
