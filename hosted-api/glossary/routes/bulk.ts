import { type TObject, Type } from '@sinclair/typebox'
import {
  type AnyRoute,
  closed,
  defineRoute,
  mostItems,
  ok,
  oneOf,
  RecordId,
  type Shape,
} from '../../http/index.ts'
import type { Tx } from '../../storage/index.ts'
import { uploadPace, writingOf } from '../author.ts'
import {
  type BulkMode,
  type BulkResult,
  bulkModes,
  checkItems,
  itemSchema,
  Result,
  Summary,
  summaryOf,
  upsertAll,
} from '../bulk.ts'
import type { Kind } from '../kind.ts'
import { collectionPath, operationId } from './paths.ts'

/** POST /terms/bulk: creates or replaces up to 1,000 records, by identifier. */
export function bulkRoute(kind: Kind): AnyRoute {
  // Each item is checked by itself, so that an invalid one does not refuse the others (`best_effort`).
  const anyItem = Type.Object({}, { additionalProperties: true })
  return defineRoute({
    id: operationId('bulk', kind.plural),
    method: 'POST',
    path: `${collectionPath(kind)}/bulk`,
    tag: kind.plural,
    summary: `Create or replace many ${kind.plural}`,
    scope: 'glossary:write',
    records: 'many',
    project: { from: 'body', member: 'project' },
    query: closed({}),
    body: bulkBody(anyItem),
    bodyRule: { shown: bulkBody(itemSchema(kind)), parts: [itemSchema(kind)] },
    responses: {
      200: BulkAnswer,
    },
    handle: async call => {
      const { items, mode = 'all_or_nothing', dry_run: isDry = false } = call.body as unknown as BulkBody
      call.chargeRecords(items.length)
      const project = Number(call.project)
      const all = items.map((body, index) => ({ kind, body, pointer: `/items/${index}` }))
      const checked = await checkItems(all, project, mode, uploadPace(call))
      const write = async (tx: Tx) => {
        const results = await upsertAll(writingOf(tx, call), checked)
        if (isDry) tx.discard()
        return ok(bulkAnswer(results, isDry))
      }
      return call.write(write, { isLong: true })
    },
  })
}

function bulkBody(item: TObject): TObject {
  return closed({
    project: RecordId,
    items: Type.Array(item, { minItems: 1, maxItems: mostItems }),
    mode: Type.Optional(oneOf(bulkModes)),
    dry_run: Type.Optional(Type.Boolean()),
  })
}

interface BulkBody {
  readonly items: readonly unknown[]
  readonly mode?: BulkMode
  readonly dry_run?: boolean
}

export const BulkAnswer = closed({
  success: Type.Literal(true),
  dry_run: Type.Boolean(),
  summary: Summary,
  results: Type.Array(Result),
})

export function bulkAnswer(results: readonly BulkResult[], isDry: boolean): Shape<typeof BulkAnswer> {
  const shown = isDry ? results.map(withoutNewId) : results
  return { success: true, dry_run: isDry, summary: summaryOf(results), results: shown }
}

/** Removes the number of a record that was not stored. */
function withoutNewId({ id, ...result }: BulkResult): BulkResult {
  return result.status === 'created' || id === undefined ? result : { ...result, id }
}
