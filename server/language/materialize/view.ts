import type { Materialization } from './materialization.ts'

export const view = {
  kind: 'view',
  doc: 'A view over the tables that it reads.',
  relation: 'view',
  isPublished: true,
  // A view reads only tables, so that none of our views depends on another.
  readIn: { table: 'name', view: 'query' },
} as const satisfies Materialization
