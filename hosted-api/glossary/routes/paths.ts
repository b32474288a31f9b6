import { type TObject, type TProperties, Type } from '@sinclair/typebox'
import { closed, RecordId } from '../../http/index.ts'
import { projectOfReference } from '../find-record.ts'
import type { Kind } from '../kind.ts'
import { identifierPattern } from '../kinds.ts'

export const base = '/api/svc/glossary'

/** Returns the name of an operation, which is also the client's method: `createTerm`, `listTermVersions`. */
export function operationId(verb: string, noun: string, rest = ''): string {
  return `${verb}${noun.charAt(0).toUpperCase()}${noun.slice(1)}${rest}`
}

export function collectionPath(kind: Kind): string {
  return `${base}/${kind.plural}`
}

/**
 * What the routes about one record share.
 * @param rest of the path
 */
export function aboutRecord<S extends 'glossary:read' | 'glossary:write'>(kind: Kind, scope: S, rest = '') {
  return {
    path: `${collectionPath(kind)}/:ref${rest}`,
    tag: kind.plural,
    scope,
    project: projectOfReference(kind),
    params: referenceParams(kind),
    query: referenceQuery(),
  }
}

/** Returns the address of a record. */
export function hrefOf(kind: Kind, id: number): string {
  return `${collectionPath(kind)}/${id}`
}

/** Accepts a record number, or an identifier if the kind has one. */
function referenceParams(kind: Kind) {
  const number = '^[1-9]\\d{0,9}$'
  const pattern = kind.named ? `${number}|${identifierPattern}` : number
  const description = kind.named ? 'Record number, or identifier (then with ?project=).' : 'Record number.'
  return closed({ ref: Type.String({ pattern, description }) })
}

/** `project` is the project of an identifier; a route may add further parameters. */
export function referenceQuery(more: TProperties = {}): TObject {
  return closed({ project: Type.Optional(RecordId), ...more })
}
