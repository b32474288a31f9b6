import type { Materialization } from './materialization.ts'

export const table = {
  kind: 'table',
  doc: 'A table, rebuilt when something changed.',
  relation: 'table',
  isPublished: true,
  readIn: { table: 'name', view: 'name' },
} as const satisfies Materialization
