import { Type } from '@sinclair/typebox'
import { closed, oneOf } from '../../http/index.ts'
import type { Kind } from '../kind.ts'
import { identifierPattern, identifierRule, Lines, metadata, mostItems, owner, tags } from './shared.ts'

const termStatuses = ['draft', 'in_review', 'approved', 'deprecated', 'rejected'] as const
const termRelations = ['related', 'broader', 'narrower', 'replaced_by', 'antonym', 'see_also'] as const

export const term: Kind = {
  name: 'term',
  plural: 'terms',
  prefix: 'term',
  named: true,
  takesId: true,
  fields: [
    {
      name: 'synonyms',
      schema: Lines,
      default: [],
      searched: 'name',
      doc: 'Alternative names.',
    },
    owner,
    {
      name: 'status',
      schema: oneOf(termStatuses),
      default: 'draft',
      filter: true,
      doc: 'How far the definition is agreed on.',
    },
    { name: 'reviewers', schema: Lines, default: [], doc: 'Who has to agree.' },
    {
      name: 'related',
      schema: Type.Array(
        closed({
          type: oneOf(termRelations),
          term: Type.String({ pattern: identifierPattern, rule: identifierRule }),
        }),
        { maxItems: mostItems },
      ),
      default: [],
      doc: 'Other terms, by identifier, and what they are to this one.',
    },
    tags,
    metadata,
  ],
}
