import { Type } from '@sinclair/typebox'
import { type AnyRoute, closed, defineRoute, ok, oneOf, RecordId, revisionTag } from '../../http/index.ts'
import { uploadPace, writingOf } from '../author.ts'
import { recordSchema } from '../body-schemas.ts'
import { type BulkMode, bulkModes, checkItems, itemSchema } from '../bulk.ts'
import { readCsv, writeCsv } from '../exchange/csv.ts'
import { documentBytes, readDocument } from '../exchange/document.ts'
import { importEntries, recordsOf } from '../exchange/import-entries.ts'
import { managedMembers, readDocumentEntries } from '../exchange/read-entries.ts'
import type { Kind } from '../kind.ts'
import { entryKinds, kinds } from '../kinds.ts'
import { BulkAnswer, bulkAnswer } from './bulk.ts'
import { base } from './paths.ts'

const formats = ['json', 'csv'] as const
const params = closed({ project_id: RecordId })

const ExportedTerm = closed({
  ...recordSchema(kinds.term).properties,
  links: Type.Array(recordSchema(kinds.link)),
})

/** Members that an import ignores may have any value. */
const ignored = Object.fromEntries(
  managedMembers
    .filter(name => name !== 'links')
    .map(name => [name, Type.Optional(Type.Unknown({ description: 'Ignored.' }))]),
)

/** An export, or a part of one. */
const documentShown = closed({
  project: Type.Optional(Type.Unknown({ description: 'Ignored: the path names the project.' })),
  ...Object.fromEntries(entryKinds.map(kind => [kind.plural, Type.Optional(Type.Array(importedItem(kind)))])),
})

function importedItem(kind: Kind) {
  const item = itemSchema(kind)
  const links = Type.Optional(Type.Array(Type.Object({})))
  const schema = closed({ ...item.properties, ...ignored, links })
  schema.required = item.required ?? []
  return schema
}

/** GET /projects/{project_id}/export (4.1): the whole glossary (2.7), or as a table. */
export function exportRoute(): AnyRoute {
  return defineRoute({
    id: 'exportGlossary',
    method: 'GET',
    path: `${base}/projects/:project_id/export`,
    tag: 'glossary',
    summary: 'Export the glossary of a project',
    scope: 'glossary:read',
    project: { from: 'path', param: 'project_id' },
    params,
    query: closed({ format: Type.Optional(oneOf(formats)) }),
    otherForms: { 'text/csv': Type.String() },
    responses: {
      200: closed({
        project: closed({ id: RecordId, name: Type.String() }),
        terms: Type.Array(ExportedTerm),
        metrics: Type.Array(recordSchema(kinds.metric)),
        dimensions: Type.Array(recordSchema(kinds.dimension)),
        policies: Type.Array(recordSchema(kinds.policy)),
      }),
    },
    cached: true,
    isLong: true,
    handle: async ({ storage, project, query, pace }) => {
      const id = Number(project)
      const revision = (await storage.revision(id)) ?? 0
      const document = await readDocument(storage.reads, id, pace)
      if (query['format'] !== 'csv') {
        return ok(await documentBytes(document, pace), {
          ETag: revisionTag(revision),
          'Content-Type': 'application/json; charset=utf-8',
        })
      }
      return ok(Buffer.from(writeCsv(document)), {
        ETag: revisionTag(revision, 'csv'),
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="glossary-${id}.csv"`,
      })
    },
  })
}

/** POST /projects/{project_id}/import: an export of either form; `dry_run` only reports what would happen. */
export function importRoute(): AnyRoute {
  return defineRoute({
    id: 'importGlossary',
    method: 'POST',
    path: `${base}/projects/:project_id/import`,
    tag: 'glossary',
    summary: 'Import a glossary',
    scope: 'glossary:write',
    project: { from: 'path', param: 'project_id' },
    params,
    query: closed({
      dry_run: Type.Optional(Type.Boolean()),
      mode: Type.Optional(oneOf(bulkModes)),
    }),
    body: Type.Object(
      {},
      { additionalProperties: true, description: 'A glossary export, or a table as text/csv.' },
    ),
    bodyRule: {
      accepts: ['application/json', 'text/csv'],
      shown: documentShown,
      upload: 'import',
      schemas: { 'text/csv': Type.String({ minLength: 1 }) },
      texts: ['text/csv'],
    },
    responses: {
      200: closed({
        ...BulkAnswer.properties,
        skipped: Type.Array(closed({ pointer: Type.String(), detail: Type.String() })),
      }),
    },
    handle: async call => {
      const pace = uploadPace(call)
      const read =
        typeof call.body === 'string' ? readCsv(call.body, pace) : readDocumentEntries(call.body, pace)
      const entries = await read
      call.chargeRecords(entries.length)
      const isDry = call.query['dry_run'] === true
      const mode = (call.query['mode'] ?? 'all_or_nothing') as BulkMode
      const project = Number(call.project)
      const checked = await checkItems(recordsOf(entries), project, mode, pace)
      return call.write(async tx => {
        const outcome = await importEntries(writingOf(tx, call), entries, checked, pace)
        if (isDry) tx.discard()
        return ok({ ...bulkAnswer(outcome.results, isDry), skipped: outcome.skipped })
      })
    },
  })
}
