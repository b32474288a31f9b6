import type { Materialization } from './materialization.ts'

export const ephemeral = {
  kind: 'ephemeral',
  doc: 'A part of the queries that read it; nothing in production.',
  // Its tests and its columns need something to look at.
  relation: 'view',
  isPublished: false,
  readIn: { table: 'query', view: 'query' },
} as const satisfies Materialization
