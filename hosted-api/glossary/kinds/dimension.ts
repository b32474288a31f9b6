import { type FieldProblem, oneOf } from '../../http/index.ts'
import type { Kind } from '../kind.ts'
import type { Content } from '../record.ts'
import { Lines, metadata, owner, tags } from './shared.ts'

const dimensionTypes = [
  'categorical',
  'numerical',
  'boolean',
  'temporal',
  'geographic',
  'hierarchical',
] as const

export const dimension: Kind = {
  name: 'dimension',
  plural: 'dimensions',
  prefix: 'dim',
  named: true,
  takesId: true,
  problems: valuesProblems,
  fields: [
    {
      name: 'type',
      schema: oneOf(dimensionTypes),
      default: 'categorical',
      filter: true,
      doc: 'What its values are.',
    },
    {
      name: 'values',
      schema: Lines,
      default: [],
      searched: true,
      doc: 'Allowed category values; of categorical and hierarchical dimensions only.',
    },
    owner,
    tags,
    metadata,
  ],
}

const typesWithValues = ['categorical', 'hierarchical']

function valuesProblems(content: Content): readonly FieldProblem[] {
  const values = content['values'] as readonly unknown[] | undefined
  const type = String(content['type'] ?? 'categorical')
  if (values === undefined || values.length === 0 || typesWithValues.includes(type)) return []
  const detail = `A ${type} dimension has no list of values: only ${typesWithValues.join(' and ')} ones do.`
  return [{ pointer: '/values', code: 'not_allowed', detail }]
}
