import { type TObject, Type } from '@sinclair/typebox'
import { RecordId } from '../../http/index.ts'
import { closed } from '../body-schemas.ts'
import type { Kind } from '../kind.ts'
import { identifierPattern } from '../kinds.ts'

export const base = '/api/svc/glossary'

/** `createTerm`, `listTermVersions`: the name of the operation, also as a method of the client. */
export function operationId(verb: string, noun: string, rest = ''): string {
  return `${verb}${noun.charAt(0).toUpperCase()}${noun.slice(1)}${rest}`
}

export function collectionPath(kind: Kind): string {
  return `${base}/${kind.plural}`
}

export function recordPath(kind: Kind): string {
  return `${collectionPath(kind)}/:ref`
}

/** Where a record is found again. */
export function hrefOf(kind: Kind, id: number): string {
  return `${collectionPath(kind)}/${id}`
}

/** A record number, or an identifier where the kind has one. */
export function referenceParams(kind: Kind) {
  const number = '^[1-9]\\d{0,9}$'
  const pattern = kind.named ? `${number}|${identifierPattern}` : number
  const description = kind.named ? 'Record number, or identifier (then with ?project=).' : 'Record number.'
  return Type.Object({ ref: Type.String({ pattern, description }) }, { additionalProperties: false })
}

/** `project` says whose identifier it is; further parameters of one route. */
export function referenceQuery(more: TObject['properties'] = {}) {
  return closed({ project: Type.Optional(RecordId), ...more })
}
