import { type FieldProblem, oneOf, RecordId } from '../../http/index.ts'
import type { Kind } from '../kind.ts'
import type { Content } from '../record.ts'
import { Line } from './shared.ts'

const linkRoles = ['primary_key', 'foreign_key', 'attribute'] as const

export const link: Kind = {
  name: 'link',
  plural: 'links',
  prefix: 'link',
  named: false,
  takesId: false,
  problems: columnProblems,
  fields: [
    {
      name: 'term',
      schema: RecordId,
      required: true,
      filter: true,
      fixed: true,
      refersTo: 'term',
      doc: 'Record number of the term.',
    },
    {
      name: 'asset',
      schema: RecordId,
      required: true,
      filter: true,
      fixed: true,
      refersTo: 'asset',
      doc: 'Record number of the asset.',
    },
    {
      name: 'column',
      schema: Line,
      filter: true,
      columnOf: 'asset',
      doc: 'Column of the asset; the whole asset without it. Where the columns of the asset are known, it has to be one of them.',
    },
    {
      name: 'role',
      schema: oneOf(linkRoles),
      default: 'attribute',
      filter: true,
      doc: 'What the column is; a key needs a column.',
    },
  ],
  joined: {
    columns: {
      term_identifier: 'linked_term.identifier',
      term_name: 'linked_term.name',
      asset_name: 'linked_asset.name',
    },
    joins: `join term as linked_term on linked_term.id = link.term
      join asset as linked_asset on linked_asset.id = link.asset`,
    searched: 'linked_term.search_key',
  },
}

function columnProblems(content: Content): readonly FieldProblem[] {
  const role = String(content['role'] ?? 'attribute')
  if (role === 'attribute' || content['column'] != null) return []
  return [{ pointer: '/column', code: 'required', detail: `A link as ${role} needs a column.` }]
}
