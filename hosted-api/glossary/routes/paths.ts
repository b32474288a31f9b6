import { type TObject, Type } from '@sinclair/typebox'
import { RecordId } from '../../http/index.ts'
import { closed } from '../body-schemas.ts'
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

export function recordPath(kind: Kind): string {
  return `${collectionPath(kind)}/:ref`
}

/** Returns the address of a record. */
export function hrefOf(kind: Kind, id: number): string {
  return `${collectionPath(kind)}/${id}`
}

/** Accepts a record number, or an identifier if the kind has one. */
export function referenceParams(kind: Kind) {
  const number = '^[1-9]\\d{0,9}$'
  const pattern = kind.named ? `${number}|${identifierPattern}` : number
  const description = kind.named ? 'Record number, or identifier (then with ?project=).' : 'Record number.'
  return Type.Object({ ref: Type.String({ pattern, description }) }, { additionalProperties: false })
}

/** `project` is the project of an identifier; a route may add further parameters. */
export function referenceQuery(more: TObject['properties'] = {}) {
  return closed({ project: Type.Optional(RecordId), ...more })
}
