import type { Materialization } from './materialization.ts'

export const view = {
  kind: 'view',
  doc: 'A view over the tables that it reads.',
  relation: 'view',
  isPublished: true,
  // A view names tables only, so that no view of ours rests on another one.
  readIn: { table: 'name', view: 'query' },
} as const satisfies Materialization
