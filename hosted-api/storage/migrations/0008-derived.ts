import type { Migration } from './migration.ts'

/** Whether a policy also forbids what is only derived from personal data, as `derived: deny` of a glossary file says. */
export const derivedGrade: Migration = {
  name: '0008_derived',
  steps: () => ["alter table policy add column derived text not null default 'allow'"],
}
