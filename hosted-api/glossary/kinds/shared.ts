/** Fields and limits that several kinds of record share. */
import { Type } from '@sinclair/typebox'
import { visible } from '../../http/index.ts'
import type { Field } from '../kind.ts'

export const mostItems = 1000
export const Line = Type.String({ minLength: 1, maxLength: 255 })
export const Lines = Type.Array(Line, { maxItems: mostItems })
export const Sql = Type.String({ minLength: 1, maxLength: 256 * 1024 })

export const longestText = 64 * 1024
export const identifierRule =
  'has to begin with a letter, and may have letters with their marks, digits, _ . : and -, at most 255'
export const identifierPattern = '^\\p{L}[\\p{L}\\p{M}\\p{N}_.:-]{0,254}$'

export const identifier: Field = {
  name: 'identifier',
  schema: Type.String({ pattern: identifierPattern, rule: identifierRule }),
  doc: 'Your own identifier of the record; made of the name when it is left out.',
}

/** The fields of all kinds with names, in the order of answers. */
export const namedFields: readonly Field[] = [
  {
    name: 'name',
    schema: Type.String({ minLength: 1, maxLength: 255, ...visible, examples: ['Orders'] }),
    required: true,
    doc: 'Display name.',
  },
  identifier,
  {
    name: 'description',
    schema: Type.String({ maxLength: longestText }),
    default: '',
    doc: 'Definition, in words.',
  },
]

export const owner: Field = {
  name: 'owner',
  schema: Type.String({ minLength: 1, maxLength: 320 }),
  searched: true,
  filter: true,
  doc: 'Contact, usually an e-mail address.',
}

export const tags: Field = {
  name: 'tags',
  schema: Lines,
  default: [],
  searched: true,
  doc: 'Words to group records by.',
}

export const metadata: Field = {
  name: 'metadata',
  schema: Type.Object({}, { additionalProperties: true, maxProperties: 100 }),
  default: {},
  doc: 'Members of your own; kept as they are.',
}
