/** Codes whose hints other tests follow, because their cause takes more than a small project: the file, and words of its test. */

export interface FollowedBy {
  readonly file: string
  /** Stands in the file as it is. */
  readonly title: string
}

const by = (file: string, title: string): FollowedBy => ({ file: `test/${file}`, title })

export const errorsElsewhere: Readonly<Record<string, FollowedBy>> = {
  // The hint is a command line, printed under the report of the run.
  'test-failed': by('cli/hints.test.ts', "'sample … --source model --run …'"),
  // The same, printed by a plan.
  'unit-test-failed': by('cli/hints.test.ts', "'test --unit': async"),
  // A signal to a process, and the runs after it.
  interrupted: by('engine/run/interrupt.test.ts', '%s ends the run with 130, and the next one goes on'),
  // The system has no more memory.
  'out-of-memory': by(
    'cli/errors.test.ts',
    'memory that the system refuses is no bug, wherever it was refused',
  ),
  // A server cuts long names.
  'schema-name-too-long': by(
    'cli/workspace.test.ts',
    'is refused where PostgreSQL would cut the name of its schema',
  ),
  // A server has roles.
  'unknown-role': by(
    'cli/postgres-deploy.test.ts',
    'names a role that is not there at its place, before any work, and what the role of svc may not open',
  ),
  // The file is of another version of DuckDB.
  'warehouse-newer': by('engine/warehouse/duckdb.test.ts', 'of storage version %s is said to be that'),
  // The file is damaged, and restored the day after.
  'warehouse-failed': by('bad-days/disks.ts', 'All but the head of the warehouse file is noise'),
  // Two people write at the same moment.
  'glossary-conflict': by('cli/glossary/sync.test.ts', 'notices what is changed between reading and writing'),
}

export const warningsElsewhere: Readonly<Record<string, FollowedBy>> = {
  // It is kept in the record of a run, without a hint; the rows are shown by `svc test`.
  'warned-test': by('cli/hints.test.ts', "'test …': async"),
  // Readers of a server hold views of production.
  'ended-sessions': by(
    'cli/blocked-promotion.test.ts',
    'ends that session where the environment says so, and tells of it at once and afterwards',
  ),
  'unsettled-views': by(
    'engine/warehouse/postgres-promotion.test.ts',
    'leaves the last step of its view to the next command, once production is new',
  ),
}
