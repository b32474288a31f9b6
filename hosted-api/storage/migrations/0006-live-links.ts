import { type Migration, storedOrVirtual } from './migration.ts'

/**
 * A link that is not deleted belongs to a term that is not deleted, whoever links and deletes at the same time: a
 * foreign key between two derived columns, which are null for deleted records.
 */
export const liveLinks: Migration = {
  name: '0006_live_links',
  steps: (_build, engine, now) => [
    // Links that lost their term before there was this constraint.
    `update link set deleted_at = '${now}', version = version + 1, updated_at = '${now}', updated_by = 'svc-hosted'
      where deleted_at is null and term in (select id from term where deleted_at is not null)`,
    `alter table term add column live_id integer
      generated always as (case when deleted_at is null then id end) ${storedOrVirtual(engine)}`,
    'create unique index term_live on term (live_id)',
    `alter table link add column live_term integer
      generated always as (case when deleted_at is null then term end) ${storedOrVirtual(engine)}
      references term (live_id)`,
    'create index link_live_term on link (live_term)',
  ],
}
