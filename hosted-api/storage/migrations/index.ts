/**
 * All migrations, oldest first. A released one is never edited and never renamed; a later change is a new
 * file. They are imported modules and not found by listing a folder, because a bundle has no folder.
 */
import { accessAndProjects } from './0001-access-and-projects.ts'
import { glossary } from './0002-glossary.ts'
import { metadata } from './0003-metadata.ts'
import { idempotency } from './0004-idempotency.ts'
import { auditToken } from './0005-audit-token.ts'
import { liveLinks } from './0006-live-links.ts'
import { search } from './0007-search.ts'
import { derivedGrade } from './0008-derived.ts'
import { searchTogether } from './0009-search-together.ts'
import { columnLists } from './0010-column-lists.ts'
import { toldVersions } from './0011-told-versions.ts'
import type { Migration } from './migration.ts'

export type { Migration, MigrationStep } from './migration.ts'

export const migrations: readonly Migration[] = [
  accessAndProjects,
  glossary,
  metadata,
  idempotency,
  auditToken,
  liveLinks,
  search,
  derivedGrade,
  searchTogether,
  columnLists,
  toldVersions,
]
