import { Type } from '@sinclair/typebox'
import { oneOf } from '../../http/index.ts'
import type { Kind } from '../kind.ts'
import { Lines, longestText, metadata, owner, tags } from './shared.ts'

const enforcements = ['strict', 'warn', 'off'] as const

export const policy: Kind = {
  name: 'policy',
  plural: 'policies',
  prefix: 'policy',
  named: true,
  takesId: false,
  fields: [
    {
      name: 'rule',
      schema: Type.String({
        minLength: 1,
        maxLength: longestText,
        examples: ['No personal data in reports.'],
      }),
      required: true,
      searched: true,
      doc: 'The rule in words.',
    },
    {
      name: 'pii_columns',
      schema: Lines,
      default: [],
      searched: true,
      doc: 'Names of columns that hold personal data.',
    },
    {
      name: 'applies_to',
      schema: Lines,
      default: [],
      searched: true,
      doc: 'Patterns of asset names: exact, <schema>.*, with * and ?. Empty: all assets.',
    },
    {
      name: 'enforcement',
      schema: oneOf(enforcements),
      default: 'strict',
      filter: true,
      doc: 'What a breach is.',
    },
    {
      name: 'derived',
      schema: oneOf(['allow', 'deny'] as const),
      default: 'allow',
      filter: true,
      doc: 'Whether columns that are only derived from personal data break it too: counts, comparisons, conditions.',
    },
    owner,
    tags,
    metadata,
  ],
}
