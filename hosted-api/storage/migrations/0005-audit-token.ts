import type { Migration } from './migration.ts'

/** The token of an audit entry, because several tokens may have the same name. */
export const auditToken: Migration = {
  name: '0005_audit_token',
  steps: () => [
    // Null for changes without a token: commands, and entries of earlier versions.
    'alter table audit add column token_id integer',
  ],
}
