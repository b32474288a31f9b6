/** Creates or replaces many records of one kind: all or nothing, or as many as possible. */

import type { TObject } from '@sinclair/typebox'
import { bodyProblems, type FieldProblem, invalid, Problem } from '../http/index.ts'
import type { Pace } from '../http/pace.ts'
import type { Tx } from '../storage/index.ts'
import { closed, createBody } from './body-schemas.ts'
import { readContent } from './content.ts'
import type { ChangeAuthor } from './create.ts'
import type { Kind } from './kind.ts'
import type { Content } from './record.ts'
import { type UpsertStatus, upsertRecord } from './upsert.ts'

export const bulkModes = ['all_or_nothing', 'best_effort'] as const
export type BulkMode = (typeof bulkModes)[number]

export interface BulkItem {
  readonly kind: Kind
  readonly body: unknown
  /** Its place in the request, for problems: `/items/3`. */
  readonly pointer: string
}

export interface BulkResult {
  readonly index: number
  readonly status: UpsertStatus | 'failed'
  readonly id?: number
  readonly identifier?: unknown
  readonly error?: {
    readonly code: string
    readonly detail: string
    readonly errors: readonly FieldProblem[]
  }
}

export interface BulkSummary {
  readonly received: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly failed: number
}

/**
 * Returns one result per item, in order.
 * @throws Problem `invalid` with everything that is wrong, if it is all or nothing
 */
export async function upsertAll(
  tx: Tx,
  project: number,
  items: readonly BulkItem[],
  mode: BulkMode,
  author: ChangeAuthor,
  pace: Pace,
): Promise<readonly BulkResult[]> {
  // Most mistakes are found before anything is written, so that nothing has to be undone.
  const mistakes: (readonly FieldProblem[])[] = []
  for (const item of items) {
    mistakes.push(itemProblems(item, project))
    const pause = pace.pause()
    if (pause !== undefined) await pause
  }
  if (mode === 'all_or_nothing') refuse(mistakes.flat())
  const results: BulkResult[] = []
  for (const [index, item] of items.entries()) {
    const known = mistakes[index] ?? []
    const pause = pace.pause()
    if (pause !== undefined) await pause
    results.push(
      known.length > 0
        ? failed(index, invalid(known), '')
        : await upsertOne(tx, project, item, index, author),
    )
  }
  if (mode === 'all_or_nothing') refuse(results.flatMap(({ error }) => error?.errors ?? []))
  return results
}

/** @throws Problem `invalid` */
function refuse(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw invalid(problems)
}

export function summaryOf(results: readonly BulkResult[]): BulkSummary {
  const count = (status: BulkResult['status']) => results.filter(result => result.status === status).length
  return {
    received: results.length,
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged') + count('kept'),
    failed: count('failed'),
  }
}

/** Returns the problems of a single item, with pointers into the whole request. */
function itemProblems({ kind, body, pointer }: BulkItem, project: number): readonly FieldProblem[] {
  const problems = bodyProblems(itemSchema(kind), body)
  if (problems.length > 0) return placed(problems, pointer)
  const { project: said } = body as Content
  return said === undefined || said === project ? [] : placed([otherProject], pointer)
}

const otherProject: FieldProblem = {
  pointer: '/project',
  code: 'fixed',
  detail: 'All items belong to one project.',
}

function placed(problems: readonly FieldProblem[], pointer: string): readonly FieldProblem[] {
  return problems.map(problem => ({ ...problem, pointer: pointer + problem.pointer }))
}

/** An item is checked completely before any of it is written, so that a failed item leaves nothing behind. */
async function upsertOne(
  tx: Tx,
  project: number,
  { kind, body, pointer }: BulkItem,
  index: number,
  author: ChangeAuthor,
): Promise<BulkResult> {
  try {
    const content = readContent(kind, body as Content)
    const { record, status } = await upsertRecord(tx, kind, project, content, author)
    return { index, status, id: record.id, ...(kind.named ? { identifier: record['identifier'] } : {}) }
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    return failed(index, error, pointer)
  }
}

function failed(index: number, { code, message, parts }: Problem, pointer: string): BulkResult {
  const errors = placed(parts.errors ?? [{ pointer: '', code, detail: message }], pointer)
  return { index, status: 'failed', error: { code, detail: message, errors } }
}

const schemas = new Map<Kind, TObject>()

/** Returns the schema of a creation body without the project, which is given once for all items. */
export function itemSchema(kind: Kind): TObject {
  const known = schemas.get(kind)
  if (known !== undefined) return known
  const whole = createBody(kind)
  const schema = closed(whole.properties)
  schema.required = (whole.required ?? []).filter(name => name !== 'project')
  schemas.set(kind, schema)
  return schema
}
