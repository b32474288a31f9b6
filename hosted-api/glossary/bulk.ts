/** Creates or replaces many records of one kind: all or nothing, or as many as possible. */

import { Type } from '@sinclair/typebox'
import {
  bodyProblems,
  Count,
  closed,
  type FieldProblem,
  invalid,
  oneOf,
  Problem,
  RecordId,
  type Shape,
} from '../http/index.ts'
import type { Pace } from '../http/pace.ts'
import { remember } from '../http/remember.ts'
import { createBody } from './body-schemas.ts'
import { readContent } from './content.ts'
import type { ProjectWriting } from './create.ts'
import type { Kind } from './kind.ts'
import type { Content } from './record.ts'
import type { Upserted } from './upsert.ts'
import { toldProblem, upsertRecords } from './upsert-many.ts'

export const bulkModes = ['all_or_nothing', 'best_effort'] as const
export type BulkMode = (typeof bulkModes)[number]

export interface BulkItem {
  readonly kind: Kind
  readonly body: unknown
  /** Its place in the request, for problems: `/items/3`. */
  readonly pointer: string
}

export const Summary = closed({
  received: Count,
  created: Count,
  updated: Count,
  unchanged: Count,
  failed: Count,
})

const ErrorOfItem = closed({ pointer: Type.String(), code: Type.String(), detail: Type.String() })
export const Result = closed({
  index: Count,
  status: oneOf(['created', 'updated', 'unchanged', 'kept', 'failed']),
  id: Type.Optional(RecordId),
  identifier: Type.Optional(Type.String()),
  error: Type.Optional(
    closed({ code: Type.String(), detail: Type.String(), errors: Type.Array(ErrorOfItem) }),
  ),
})
export type BulkResult = Shape<typeof Result>

export interface CheckedItems {
  readonly items: readonly BulkItem[]
  /** Those of each item, which are found before anything is written: then nothing has to be undone. */
  readonly mistakes: readonly (readonly FieldProblem[])[]
  readonly mode: BulkMode
}

/** @throws Problem `invalid` with everything that is wrong, if it is all or nothing */
export async function checkItems(
  items: readonly BulkItem[],
  project: number,
  mode: BulkMode,
  pace: Pace,
): Promise<CheckedItems> {
  const mistakes: (readonly FieldProblem[])[] = []
  for (const item of items) {
    mistakes.push(itemProblems(item, project))
    const pause = pace.pause()
    if (pause !== undefined) await pause
  }
  if (mode === 'all_or_nothing') refuse(mistakes.flat())
  return { items, mistakes, mode }
}

/**
 * Returns one result per item, in order.
 * @throws Problem `invalid` with everything that is wrong, if it is all or nothing
 */
export async function upsertAll(
  writing: ProjectWriting,
  { items, mistakes, mode }: CheckedItems,
): Promise<readonly BulkResult[]> {
  const results = mistakes.flatMap((problems, index) =>
    problems.length === 0 ? [] : [failed(index, invalid(problems), '')],
  )
  const good = items.flatMap((item, index) => (mistakes[index]?.length === 0 ? [{ ...item, index }] : []))
  for (const run of runsOfKind(good)) results.push(...(await upsertRun(writing, run)))
  results.sort((a, b) => a.index - b.index)
  if (mode === 'all_or_nothing') refuse(results.flatMap(({ error }) => error?.errors ?? []))
  return results
}

interface PlacedItem extends BulkItem {
  readonly index: number
}

/** Items that are read and written in one go: other requests wait while they are read. */
const mostTogether = 50

/** Items of one kind that follow each other. */
function runsOfKind(items: readonly PlacedItem[]): readonly (readonly PlacedItem[])[] {
  const runs: PlacedItem[][] = []
  for (const item of items) {
    const last = runs.at(-1)
    if (last?.[0]?.kind === item.kind && last.length < mostTogether) last.push(item)
    else runs.push([item])
  }
  return runs
}

async function upsertRun(
  writing: ProjectWriting,
  items: readonly PlacedItem[],
): Promise<readonly BulkResult[]> {
  const results: BulkResult[] = []
  const readable: { readonly item: PlacedItem; readonly content: Content }[] = []
  for (const item of items) {
    try {
      readable.push({ item, content: readContent(item.kind, item.body as Content) })
    } catch (error) {
      results.push(resultOf(item, toldProblem(error)))
    }
  }
  const [first] = readable
  if (first === undefined) return results
  const contents = readable.map(({ content }) => content)
  const written = await upsertRecords({ ...writing, kind: first.item.kind }, contents)
  for (const [at, { item }] of readable.entries()) {
    const outcome = written[at]
    if (outcome !== undefined) results.push(resultOf(item, outcome))
  }
  return results
}

/** @throws Problem `invalid` */
function refuse(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw invalid(problems)
}

export function summaryOf(results: readonly BulkResult[]): Shape<typeof Summary> {
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

function resultOf({ index, kind, pointer }: PlacedItem, outcome: Upserted | Problem): BulkResult {
  if (outcome instanceof Problem) return failed(index, outcome, pointer)
  const { record, status } = outcome
  return { index, status, id: record.id, ...(kind.named && { identifier: String(record['identifier']) }) }
}

function failed(index: number, { code, message, parts }: Problem, pointer: string): BulkResult {
  const errors = placed(parts.errors ?? [{ pointer: '', code, detail: message }], pointer)
  return { index, status: 'failed', error: { code, detail: message, errors } }
}

/** Returns the schema of a creation body without the project, which is given once for all items. */
export const itemSchema = remember((kind: Kind) => {
  const whole = createBody(kind)
  const schema = closed(whole.properties)
  schema.required = (whole.required ?? []).filter(name => name !== 'project')
  return schema
})
