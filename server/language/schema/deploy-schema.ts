/** Defines the key `deploy`: how an asset is stored in the warehouse, and who may read it there. */
import { materializations } from '../materialize/index.ts'
import { nameFormat } from './formats.ts'
import {
  atLeastOneOf,
  boolean,
  formatted,
  type KeyParts,
  type ObjectShape,
  object,
  oneOrMore,
  recordOf,
  type Shape,
  scalar,
  shorthand,
  sqlExpression,
  sqlTemplate,
  type TextFormat,
  text,
  unbuilt,
  wholeNumber,
} from './shape.ts'

const index: Shape = shorthand(
  ['columns'],
  object({
    columns: { names: 'column', doc: 'The columns, in order.', shape: atLeastOneOf(text), required: true },
    unique: { doc: 'No two rows have the same values.', shape: boolean, default: false },
    method: {
      names: 'index method',
      doc: 'How it is stored: btree, hash, gin, gist, spgist, brin.',
      shape: text,
    },
    name: {
      names: 'new name',
      doc: 'Its name, which no other index of the project has; the warehouse chooses one when absent.',
      shape: formatted(nameFormat),
    },
    where: { doc: 'SQL condition: only these rows are in it.', shape: sqlExpression },
  }),
)

/** Rights to write would mean nothing: what is written through a view is gone with the next build. */
const grants: ObjectShape = {
  ...object({
    select: { names: 'role', doc: 'The roles that may read it.', shape: oneOrMore(text), default: [] },
  }),
  idle: {
    names: ['insert', 'update', 'delete', 'truncate', 'references', 'trigger', 'all'],
    why: 'production is made of views that svc replaces: a role can be granted "select", and nothing else',
  },
}

const settingFormat: TextFormat = {
  pattern: /^[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*$/i,
  code: 'invalid-name',
  rule: 'a setting is named as the server names it: work_mem',
  noNumber: true,
}

export const deploy: KeyParts = {
  doc: 'How the asset is stored in the warehouse.',
  default: {},
  shape: object({
    materialize: {
      doc: 'How the result of the query is stored.',
      default: 'table',
      shape: {
        kind: 'choice',
        choices: [
          ...materializations.map(({ kind, doc }) => ({ value: kind, doc })),
          { value: 'incremental', doc: 'A table to which only new rows are added.', built: false },
        ],
      },
    },
    schema: { names: 'schema', doc: "Replaces the project's default_schema.", shape: formatted(nameFormat) },
    strategy: unbuilt('How new rows are added to an incremental table.'),
    unique_key: unbuilt('The columns that identify a row of an incremental table.'),
    time_column: unbuilt('The time that orders an incremental table.'),
    lookback: unbuilt('How far back an incremental table looks again.'),
    on_schema_change: unbuilt('What happens when the columns of an incremental table change.'),
    partition_by: unbuilt('How the table is partitioned.'),
    indexes: {
      doc: 'Indexes of the table, each a column, a list of columns, or a mapping; made when it is built, before its tests.',
      shape: { kind: 'list', of: index, endsAtRefused: true },
      default: [],
    },
    unlogged: {
      doc: 'Leaves the table out of the log of the server: built faster, empty after a crash, and built again by the next run.',
      shape: boolean,
      default: false,
    },
    tablespace: {
      names: 'tablespace',
      doc: 'The tablespace of the server that the table and its indexes are kept in.',
      shape: formatted(nameFormat),
    },
    settings: {
      keysName: 'engine setting',
      doc: 'Settings of the server while it is built, such as {work_mem: 256MB}; they hold for its transaction alone.',
      shape: recordOf('setting', scalar, settingFormat),
      default: {},
    },
    grants: {
      doc: 'Who may read it in production. What is taken out of the file is taken away again.',
      shape: grants,
      default: {},
    },
    before: {
      doc: 'SQL statements that run before it is built, in the same transaction.',
      shape: oneOrMore(sqlTemplate),
      default: [],
    },
    after: {
      doc: 'SQL statements that run after it is built, in the same transaction, before its tests.',
      shape: oneOrMore(sqlTemplate),
      default: [],
    },
    keep: { doc: 'Earlier versions kept for rollback.', shape: wholeNumber(1), default: 5 },
    enabled: { doc: 'False takes the asset out of the project.', shape: boolean, default: true },
    k_anonymity: {
      doc: 'Each row of the aggregate is made of at least so many rows, which every run tests. Sums, averages and counts of plain columns are then not personal.',
      shape: wholeNumber(2),
      property: 'kAnonymity',
    },
  }),
}
