import type { Materialization } from './materialization.ts'

export const table = {
  kind: 'table',
  doc: 'A table, built anew when something changed.',
  relation: 'table',
  isPublished: true,
  readIn: { table: 'name', view: 'name' },
} as const satisfies Materialization
