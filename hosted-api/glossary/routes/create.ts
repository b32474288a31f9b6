import { Type } from '@sinclair/typebox'
import { type AnyRoute, created, defineRoute, invalid, versionTag } from '../../http/index.ts'
import type { Tx } from '../../storage/index.ts'
import { authorOf } from '../author.ts'
import { changeAnswer, createBody } from '../body-schemas.ts'
import { contentProblems, readContent } from '../content.ts'
import { createRecord } from '../create.ts'
import { projectOfTerm } from '../find-record.ts'
import type { Kind } from '../kind.ts'
import type { Content } from '../record.ts'
import { requireReferences } from '../relations.ts'
import { warningMember, warningsOf } from '../warnings.ts'
import { collectionPath, hrefOf, operationId } from './paths.ts'

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
    query: Type.Object({}, { additionalProperties: false }),
    body: createBody(kind),
    responses: { 201: changeAnswer(kind) },
    handle: async call => {
      const content = readContent(kind, call.body as Content)
      const problems = contentProblems(kind, content)
      if (problems.length > 0) throw invalid(problems)
      const project = Number(call.project)
      // Warnings are computed outside the transaction, for which all writers wait; they are only hints.
      const warnings = warningMember(await warningsOf(call.storage.reads, kind, { ...content, project }))
      const create = async (tx: Tx) => {
        await requireReferences(tx, kind, project, content)
        const record = await createRecord(tx, kind, project, content, authorOf(call))
        const body = { success: true, [kind.name]: record, ...warnings }
        return created(hrefOf(kind, record.id), body, { ETag: versionTag(record.version) })
      }
      return call.write(create, { isIndependent: true })
    },
  })
}
