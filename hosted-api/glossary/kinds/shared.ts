/** Fields and limits that several kinds of record share. */
import { Type } from '@sinclair/typebox'
import type { Field } from '../kind.ts'

export const mostItems = 1000
export const Line = Type.String({ minLength: 1, maxLength: 255 })
export const Lines = Type.Array(Line, { maxItems: mostItems })
export const Sql = Type.String({ minLength: 1, maxLength: 256 * 1024 })

export const longestText = 64 * 1024
export const identifierRule =
  'has to begin with a letter, and may have letters, digits, _ . : and -, at most 255'
export const identifierPattern = '^\\p{L}[\\p{L}\\p{N}_.:-]{0,254}$'

export const owner: Field = {
  name: 'owner',
  schema: Type.String({ minLength: 1, maxLength: 320 }),
  store: 'text',
  searched: true,
  filter: true,
  doc: 'Contact, usually an e-mail address.',
}

export const tags: Field = {
  name: 'tags',
  schema: Lines,
  store: 'json',
  default: [],
  searched: true,
  doc: 'Words to group records by.',
}

export const metadata: Field = {
  name: 'metadata',
  schema: Type.Object({}, { additionalProperties: true, maxProperties: 100 }),
  store: 'json',
  default: {},
  doc: 'Members of your own; kept as they are.',
}
