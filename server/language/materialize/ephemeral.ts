import type { Materialization } from './materialization.ts'

export const ephemeral = {
  kind: 'ephemeral',
  doc: 'A part of the queries that read it; nothing in production.',
  // An ephemeral asset becomes a view in the green schema, because its tests and columns are read from it.
  relation: 'view',
  isPublished: false,
  readIn: { table: 'query', view: 'query' },
} as const satisfies Materialization
