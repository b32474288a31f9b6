/** Defines the key `deploy`: how an asset is stored in the warehouse, and who may read it there. */
import { materializations } from '../materialize/index.ts'
import { nameFormat } from './formats.ts'
import {
  atLeastOneOf,
  boolean,
  choice,
  formatted,
  type Key,
  type ObjectShape,
  object,
  oneOrMore,
  type Shape,
  shorthand,
  sqlExpression,
  sqlTemplate,
  text,
  unbuilt,
  wholeNumber,
} from './shape.ts'

const index: Shape = shorthand(
  ['columns'],
  object(
    { name: 'columns', doc: 'The columns, in order.', shape: atLeastOneOf(text), required: true },
    { name: 'unique', doc: 'No two rows have the same values.', shape: boolean, default: false },
    { name: 'method', doc: 'How it is stored: btree, hash, gin, gist, spgist, brin.', shape: text },
    {
      name: 'name',
      doc: 'Its name, which no other index of the project has; the warehouse chooses one when absent.',
      shape: formatted(nameFormat),
    },
    { name: 'where', doc: 'SQL condition: only these rows are in it.', shape: sqlExpression },
  ),
)

/** Rights to write would mean nothing: what is written through a view is gone with the next build. */
const grants: ObjectShape = {
  kind: 'object',
  keys: [{ name: 'select', doc: 'The roles that may read it.', shape: oneOrMore(text), default: [] }],
  idle: {
    names: ['insert', 'update', 'delete', 'truncate', 'references', 'trigger', 'all'],
    why: 'production is made of views that svc replaces: a role can be granted "select", and nothing else',
  },
}

export const deploy: Key = {
  name: 'deploy',
  doc: 'How the asset is stored in the warehouse.',
  default: {},
  shape: object(
    {
      name: 'materialize',
      doc: 'How the result of the query is stored.',
      default: 'table',
      shape: choice(...materializations.map(({ kind, doc }) => ({ value: kind, doc })), {
        value: 'incremental',
        doc: 'A table to which only new rows are added.',
        built: false,
      }),
    },
    { name: 'schema', doc: "Replaces the project's default_schema.", shape: formatted(nameFormat) },
    unbuilt('strategy', 'How new rows are added to an incremental table.'),
    unbuilt('unique_key', 'The columns that identify a row of an incremental table.'),
    unbuilt('time_column', 'The time that orders an incremental table.'),
    unbuilt('lookback', 'How far back an incremental table looks again.'),
    unbuilt('on_schema_change', 'What happens when the columns of an incremental table change.'),
    unbuilt('partition_by', 'How the table is partitioned.'),
    {
      name: 'indexes',
      doc: 'Indexes of the table, each a column, a list of columns, or a mapping; made when it is built, before its tests.',
      shape: { kind: 'list', of: index, keepsIndex: true },
      default: [],
    },
    {
      name: 'grants',
      doc: 'Who may read it in production. What is taken out of the file is taken away again.',
      shape: grants,
      default: {},
    },
    {
      name: 'before',
      doc: 'SQL statements that run before it is built, in the same transaction.',
      shape: oneOrMore(sqlTemplate),
      default: [],
    },
    {
      name: 'after',
      doc: 'SQL statements that run after it is built, in the same transaction, before its tests.',
      shape: oneOrMore(sqlTemplate),
      default: [],
    },
    { name: 'keep', doc: 'Earlier versions kept for rollback.', shape: wholeNumber(1), default: 5 },
    { name: 'enabled', doc: 'False takes the asset out of the project.', shape: boolean, default: true },
    {
      name: 'k_anonymity',
      doc: 'Each row of the aggregate is made of at least so many rows, which every run tests. Sums, averages and counts of plain columns are then not personal.',
      shape: wholeNumber(2),
      property: 'kAnonymity',
    },
  ),
}
