/** The promises of docs/reading-production.md. */
import { by, type PageEntries } from '../held.ts'

const rollback = 'engine/run/rollback.test.ts'

export const readingProductionPromises: PageEntries = {
  page: 'reading-production.md',
  held: {
    '4aae31 Readers of production see the': by(
      rollback,
      'a reader during runs and rollbacks sees whole generations only',
    ),
  },
  explains: ['0c762f Read a copy. A copy', '9236b1 Open it read-only, so that'],
}
