import { type AnyRoute, closed, defineRoute } from '../../http/index.ts'
import type { Tx } from '../../storage/index.ts'
import { writingOf } from '../author.ts'
import { changeAnswer, createBody } from '../body-schemas.ts'
import { createColumnFinder } from '../columns.ts'
import { readContent, requireRules } from '../content.ts'
import { createRecord } from '../create.ts'
import { projectOfTerm } from '../find-record.ts'
import type { Kind } from '../kind.ts'
import type { Content } from '../record.ts'
import { requireReferences } from '../relations.ts'
import { warningsOf } from '../warnings.ts'
import { createdReply } from './change-reply.ts'
import { collectionPath, operationId } from './paths.ts'

/** POST /terms (4.1): 201 with `success` and the record. */
export function createRoute(kind: Kind): AnyRoute {
  return defineRoute({
    id: operationId('create', kind.name),
    method: 'POST',
    path: collectionPath(kind),
    tag: kind.plural,
    summary: `Create a ${kind.name}`,
    scope: 'glossary:write',
    project: kind.named
      ? { from: 'body', member: 'project' }
      : { from: 'find', find: call => projectOfTerm(call as never) },
    query: closed({}),
    body: createBody(kind),
    responses: { 201: changeAnswer(kind) },
    handle: async call => {
      const content = readContent(kind, call.body as Content)
      requireRules(kind, content)
      const project = Number(call.project)
      // Warnings are computed outside the transaction, for which all writers wait; they are only hints.
      const { reads } = call.storage
      const columns = createColumnFinder(reads, call.principal)
      const warnings = await warningsOf(reads, kind, { ...content, project }, columns)
      const create = async (tx: Tx) => {
        const writing = { ...writingOf(tx, call), kind }
        await requireReferences(writing, content)
        const { record, twin } = await createRecord(writing, content)
        return createdReply(kind, record, warnings(twin))
      }
      return call.write(create, { isIndependent: true })
    },
  })
}
