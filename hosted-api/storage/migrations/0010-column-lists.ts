import type { Migration } from './migration.ts'

/**
 * From here on the columns of an asset are written as lists (`column-text.ts`), which earlier versions of the service
 * cannot read. Those that are there stay as they are until their asset changes.
 */
export const columnLists: Migration = { name: '0010_column_lists', steps: () => [] }
