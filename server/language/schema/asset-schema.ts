/**
 * Defines every top-level key of a `.svc` file (interface.md 2.12, decisions 1). A new key is added here and
 * in definition.ts.
 */

import { getOrInsertComputed } from '../get-or-insert.ts'
import { constraints } from './constraints-schema.ts'
import { deploy } from './deploy-schema.ts'
import { linkFormat, nameFormat, tagFormat } from './formats.ts'
import { ingestShape } from './ingest-schema.ts'
import { publish } from './publish-schema.ts'
import {
  amount,
  boolean,
  choice,
  columnRole,
  duration,
  formatted,
  type KeyParts,
  needs,
  type ObjectShape,
  object,
  oneOrMore,
  recordOf,
  type Shape,
  shorthand,
  sqlTemplate,
  type TextFormat,
  text,
  unbuilt,
} from './shape.ts'
import { type OwnTestKeys, testShape, testShapeWith } from './test-schema.ts'

const evolutionModes = choice({
  evolve: 'New tables and columns are taken in, and wider types of columns to which the contract gives none.',
  freeze: 'Any difference fails the asset.',
  discard_row: 'Records that differ go to svc_rejects, with their child rows.',
  discard_value: 'Values that differ go to svc_rejects; the rest of the record is loaded.',
})

/** The table of `{{ source }}` is that of the contract itself. */
const childTableFormat: TextFormat = {
  pattern: /\S/,
  rule: "a child table has a name, that in {{ source('lines') }}",
}

const requiredColumns: KeyParts = {
  names: 'source column',
  doc: 'Columns that must be there.',
  shape: oneOrMore(text),
  default: [],
}

const promisedColumns: KeyParts = {
  keysName: 'new source column',
  doc: 'Its columns: {id: bigint}, or a mapping for more.',
  default: {},
  shape: recordOf(
    'column',
    shorthand(
      ['type'],
      object({
        type: {
          names: 'type',
          doc: 'The type of the column, one of the warehouse; inferred when absent.',
          shape: text,
        },
        nullable: { doc: 'Whether values may be missing.', shape: boolean, default: true },
        pii: { doc: 'Personal data: never shown in messages and samples.', shape: boolean, default: false },
        description: { names: 'text', doc: 'What the column means.', shape: text },
        from: { names: 'source column', doc: 'Its name at the source.', shape: text },
      }),
    ),
  ),
}

const contract: KeyParts = {
  doc: 'What the source promises; checked on every load.',
  shape: object({
    evolution: {
      doc: 'What happens when the source changes shape.',
      default: {},
      shape: shorthand(
        ['tables', 'columns', 'types'],
        object({
          tables: { doc: 'New child tables.', shape: evolutionModes, default: 'evolve' },
          columns: { doc: 'New columns.', shape: evolutionModes, default: 'evolve' },
          types: {
            doc: 'Values of another type, and values that are missing.',
            shape: evolutionModes,
            default: 'evolve',
          },
        }),
      ),
    },
    enforce_types: {
      doc: 'A record with a value that does not fit its declared type is rejected; otherwise the value becomes NULL.',
      shape: boolean,
      default: false,
    },
    required_columns: requiredColumns,
    columns: promisedColumns,
    tables: {
      keysName: 'child table',
      doc: "What child tables promise, by the name in {{ source('lines') }}: {lines: {columns: {quantity: integer}}}.",
      default: {},
      shape: recordOf(
        'child table',
        object({ required_columns: requiredColumns, columns: promisedColumns }),
        childTableFormat,
      ),
    },
    constraints,
    allow_empty: {
      doc: 'Whether a source that had records may have none; otherwise the asset fails (source-empty).',
      shape: boolean,
      default: false,
    },
    max_rejects: {
      doc: 'How many records may be rejected or lose a value, 10 or 1%; beyond that the asset fails.',
      shape: amount,
      defaultDoc: '0 rejected records, unless a discard mode asks for them; any number that lose a value',
    },
  }),
}

const transform: KeyParts = {
  doc: "The SQL query that makes the asset; {{ source }} and {{ ref('asset') }} name what it reads.",
  required: true,
  shape: shorthand(
    ['sql'],
    object({
      sql: { doc: 'The query; the short form is the query itself.', shape: sqlTemplate, required: true },
      python: unbuilt('A Python function that makes the asset.'),
      requires: unbuilt('Python packages that it needs.'),
      python_version: unbuilt('The Python that it needs.'),
    }),
  ),
}

const columns: KeyParts = {
  keysName: 'column',
  doc: 'Documentation of the columns that the asset has.',
  default: {},
  shape: recordOf(
    'column',
    object({
      description: { names: 'text', doc: 'What the column means.', shape: text },
      type: { names: 'type', doc: 'Its type.', shape: text },
      term: { names: 'term', doc: 'The glossary term that describes the column.', shape: text },
      role: { doc: 'Its part in the asset.', shape: columnRole },
      pii: {
        doc: 'Personal data: never shown in messages and samples. `false` ends a mark that comes from upstream.',
        shape: boolean,
        defaultDoc: 'what the lineage says',
      },
    }),
  ),
}

const freshness: KeyParts = {
  doc: 'How old the asset may get.',
  shape: needs(['warn_after', 'error_after'], {
    warn_after: { doc: 'Older is a warning.', shape: duration, property: 'warnAfterMs' },
    error_after: { doc: 'Older is an error.', shape: duration, property: 'errorAfterMs' },
    column: { names: 'column', doc: 'A timestamp column; the last run counts when absent.', shape: text },
  }),
}

const exposures: KeyParts = {
  doc: 'Who uses the asset outside: dashboards, apps.',
  default: [],
  shape: {
    kind: 'list',
    of: object({
      name: { names: 'new name', doc: 'Its name.', shape: text, required: true },
      type: {
        doc: 'What it is.',
        required: true,
        shape: choice({
          dashboard: 'A dashboard.',
          report: 'A report.',
          application: 'A program.',
          notebook: 'A notebook.',
          ml: 'A model that learns from it.',
          other: 'Anything else.',
        }),
      },
      url: { names: 'text', doc: 'Where it is.', shape: formatted(linkFormat) },
      owner: { names: 'text', doc: 'Who answers for it.', shape: text },
      description: { names: 'text', doc: 'What it shows.', shape: text },
    }),
  },
}

export const assetShape: ObjectShape = object({
  name: {
    names: 'new name',
    doc: "The asset's name in refs and in the warehouse.",
    shape: formatted(nameFormat),
    required: true,
  },
  description: { names: 'text', doc: 'What the asset is, in a sentence.', shape: text },
  owner: { names: 'text', doc: 'Who answers for it.', shape: text },
  tags: {
    names: 'new name',
    doc: 'Labels; tag:x selects by them.',
    shape: oneOrMore(formatted(tagFormat)),
    default: [],
  },
  ingest: { doc: 'Where the data comes from.', shape: ingestShape, required: true },
  contract,
  transform,
  columns,
  tests: {
    doc: 'Data tests, run on green before anything is promoted.',
    default: [],
    shape: { kind: 'list', of: testShape, keepsIndex: true },
  },
  freshness,
  deploy,
  publish,
  exposures,
})

const shapes = new WeakMap<OwnTestKeys, ObjectShape>()

/** Returns the shape of an asset's file in a project with tests of its own. */
export function assetShapeWith(own: OwnTestKeys): ObjectShape {
  if (own.size === 0) return assetShape
  return getOrInsertComputed(shapes, own, () => {
    const tests: Shape = { kind: 'list', of: testShapeWith(own), keepsIndex: true }
    const keys = assetShape.keys.map(key => (key.name === 'tests' ? { ...key, shape: tests } : key))
    return { ...assetShape, keys }
  })
}
