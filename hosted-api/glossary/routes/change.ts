import { type TObject, Type } from '@sinclair/typebox'
import type { Operation } from 'fast-json-patch'
import {
  type AnyRoute,
  type Call,
  checkBody,
  closed,
  defineRoute,
  invalid,
  invalidAt,
  Problem,
  type Reply,
} from '../../http/index.ts'
import type { Row, Tx } from '../../storage/index.ts'
import { writingOf } from '../author.ts'
import {
  changeAnswer,
  createBody,
  identifierMembers,
  members,
  sayable,
  wholeContent,
} from '../body-schemas.ts'
import { updateRecord } from '../change-record.ts'
import { readContent, requireRules } from '../content.ts'
import { beginAgain, createRecord } from '../create.ts'
import { findRow, requireLive } from '../find-record.ts'
import { isRecordNumber } from '../identifier.ts'
import type { Kind } from '../kind.ts'
import { applyJsonPatch, jsonPatchMedia, mergePatch, mergePatchMedia, requirePatchedSize } from '../patch.ts'
import { type Content, contentOf } from '../record.ts'
import { twinOf, warningsOf } from '../warnings.ts'
import { changedReply, createdReply } from './change-reply.ts'
import { aboutRecord, operationId } from './paths.ts'

type ChangeCall = Call<{ ref: string }, unknown, unknown>

/** PUT: replaces the record; creates it if the identifier does not exist. */
export function replaceRoute(kind: Kind): AnyRoute {
  return defineRoute({
    ...aboutRecord(kind, 'glossary:write'),
    id: operationId('replace', kind.name),
    method: 'PUT',
    summary: `Replace a ${kind.name}${kind.named ? ', or create it under its identifier' : ''}`,
    body: replaceBody(kind),
    responses: { 200: changeAnswer(kind), ...(kind.named ? { 201: changeAnswer(kind) } : {}) },
    handle: call => {
      const { ref } = call.params
      const content = replacement(kind, call)
      requireRules(kind, content)
      return call.write(async tx => {
        const row = await findRow(tx.firstForUpdate, kind, Number(call.project), ref)
        if (row === undefined && kind.named && !isRecordNumber(ref))
          return createUnder(tx, kind, call, content)
        const live = await requireLive(async () => row, kind, Number(call.project), ref)
        requireFixed(kind, live, content)
        // A replacement without an identifier keeps it, because it is the address and not the content.
        const whole = kind.named
          ? { ...content, identifier: content['identifier'] ?? live['identifier'] }
          : content
        return changed(tx, kind, call, live, whole)
      })
    },
  })
}

/** PATCH: changes only the members of the body. */
export function patchRoute(kind: Kind): AnyRoute {
  return defineRoute({
    ...aboutRecord(kind, 'glossary:write'),
    id: operationId('update', kind.name),
    method: 'PATCH',
    summary: `Change parts of a ${kind.name}`,
    body: patchBody(kind),
    bodyRule: {
      accepts: ['application/json', mergePatchMedia, jsonPatchMedia],
      schemas: { [jsonPatchMedia]: operations },
      parts: [wholeContent(kind)],
      // A few copies of a value into itself are as long as any body may be.
      costly: [jsonPatchMedia],
    },
    responses: { 200: changeAnswer(kind) },
    handle: call =>
      call.write(async tx => {
        const row = await requireLive(tx.firstForUpdate, kind, Number(call.project), call.params.ref)
        const content = patched(kind, row, call)
        requireRules(kind, content)
        requireFixed(kind, row, content)
        return changed(tx, kind, call, row, content)
      }),
  })
}

/** Returns the schema of a creation body whose `project`, if given, must be that of the record. */
function replaceBody(kind: Kind): TObject {
  const { project, ...properties } = createBody(kind).properties
  return closed({ ...(project === undefined ? {} : { project: Type.Optional(project) }), ...properties })
}

function patchBody(kind: Kind): TObject {
  const parts = members(sayable(kind).map(field => ({ ...field, required: false })))
  return closed({ ...identifierMembers(kind), ...parts })
}

const operations = Type.Array(
  closed({
    op: Type.Unsafe<string>({ type: 'string', enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'] }),
    path: Type.String(),
    from: Type.Optional(Type.String()),
    value: Type.Optional(Type.Unknown()),
  }),
  { maxItems: 1000, description: 'JSON Patch (RFC 6902).' },
)

function replacement(
  kind: Kind,
  { body, params, project }: ChangeCall & { project: number | undefined },
): Content {
  const said = body as Content
  if (said['project'] !== undefined && said['project'] !== project) {
    throw invalidAt('/project', 'fixed', 'A record stays in its project.')
  }
  const content = readContent(kind, said)
  if (isRecordNumber(params.ref) || content['identifier'] !== undefined) return content
  return { ...content, identifier: params.ref }
}

async function createUnder(tx: Tx, kind: Kind, call: ChangeCall, content: Content): Promise<Reply> {
  if (call.headers['if-match'] !== undefined) {
    throw new Problem('version_mismatch', `There is no ${kind.name} "${call.params.ref}" to match.`)
  }
  if (content['identifier'] !== call.params.ref) {
    const detail = `The address says "${call.params.ref}".`
    throw invalidAt('/identifier', 'conflict', detail)
  }
  const writing = { ...writingOf(tx, call), kind }
  const { record, twin } = await createRecord(writing, content).catch(beginAgain)
  const warnings = await warningsOf(tx, kind, record, writing.columns)
  return createdReply(kind, record, warnings(twin))
}

async function changed(tx: Tx, kind: Kind, call: ChangeCall, row: Row, content: Content): Promise<Reply> {
  const writing = { ...writingOf(tx, call), kind }
  const { record } = await updateRecord(writing, row, content, call.headers)
  const warnings = await warningsOf(tx, kind, record, writing.columns)
  return changedReply(kind, record, warnings(await twinOf(tx, kind, record)))
}

/** Returns the patched record, checked as a whole. */
function patched(kind: Kind, row: Row, { body: patch, limits }: Pick<Call, 'body' | 'limits'>): Content {
  const current = withoutNulls(contentOf(kind, row))
  const result = Array.isArray(patch)
    ? applyJsonPatch(current, patch as readonly Operation[], limits)
    : (mergePatch(current, renamed(patch as Content)) as Content)
  requirePatchedSize(result, limits)
  checkBody(wholeContent(kind), result)
  return readContent(kind, result)
}

/** `id` in a merge patch is the caller's identifier, as in a creation. */
function renamed({ id, ...patch }: Content): Content {
  return id === undefined ? patch : { identifier: id, ...patch }
}

function withoutNulls(content: Content): Content {
  return Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null))
}

/** Term and asset of a link cannot change: that would be another link. */
function requireFixed(kind: Kind, row: Row, content: Content): void {
  const problems = kind.fields
    .filter(({ fixed, name }) => fixed === true && content[name] !== row[name])
    .map(({ name }) => ({
      pointer: `/${name}`,
      code: 'fixed',
      detail: `The ${name} of a ${kind.name} stays as it is: delete it and make another one.`,
    }))
  if (problems.length > 0) throw invalid(problems)
}
