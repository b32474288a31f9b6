import { Type } from '@sinclair/typebox'
import { oneOf } from '../../http/index.ts'
import type { Kind } from '../kind.ts'
import type { Content } from '../record.ts'
import { Lines, metadata, owner, Sql, tags } from './shared.ts'

const timeGrains = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const

export const metric: Kind = {
  name: 'metric',
  plural: 'metrics',
  prefix: 'metric',
  named: true,
  takesId: true,
  complete: withTables,
  fields: [
    {
      name: 'sql_definition',
      schema: Type.String({ ...Sql, examples: ["select count(*) from {{ ref('orders') }}"] }),
      required: true,
      searched: true,
      doc: "SQL, with {{ ref('<asset>') }} for tables; never executed here.",
    },
    {
      name: 'time_grain',
      schema: oneOf(timeGrains),
      filter: true,
      doc: 'Time granularity.',
    },
    {
      name: 'source_assets',
      schema: Lines,
      default: [],
      searched: true,
      doc: 'Names of the assets that it draws on; completed from the ref() tags of the SQL.',
    },
    owner,
    {
      name: 'unit',
      schema: Type.String({ minLength: 1, maxLength: 64 }),
      filter: true,
      doc: 'Unit of the value: EUR, %, orders.',
    },
    tags,
    metadata,
  ],
}

/** Adds the tables that the metric's SQL names. */
function withTables(content: Content): Content {
  const named = (content['source_assets'] as readonly string[] | undefined) ?? []
  const referenced = referencedAssets(String(content['sql_definition'] ?? ''))
  return { ...content, source_assets: [...new Set([...named, ...referenced])] }
}

const referenceTag = /\{\{\s*ref\(\s*(['"])([^'"{}]+)\1\s*\)\s*\}\}/g

function referencedAssets(sql: string): readonly string[] {
  return [...sql.matchAll(referenceTag)].map(match => match[2] ?? '')
}
