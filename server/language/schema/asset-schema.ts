/**
 * Defines every top-level key of a `.svc` file (interface.md 2.12, decisions 1). A new key is added here and
 * in definition.ts.
 */
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
  type Key,
  needs,
  type ObjectShape,
  object,
  oneOrMore,
  recordOf,
  type Shape,
  shorthand,
  sqlTemplate,
  text,
  unbuilt,
} from './shape.ts'
import { type OwnTestKeys, testShape, testShapeWith } from './test-schema.ts'

const evolutionModes = choice(
  { value: 'evolve', doc: 'New tables, new columns and wider types are taken in.' },
  { value: 'freeze', doc: 'Any difference fails the asset.' },
  { value: 'discard_row', doc: 'Records that differ go to svc_rejects, with their child rows.' },
  { value: 'discard_value', doc: 'Values that differ go to svc_rejects; the rest of the record is loaded.' },
)

const requiredColumns: Key = {
  name: 'required_columns',
  doc: 'Columns that must be there.',
  shape: oneOrMore(text),
  default: [],
}

const promisedColumns: Key = {
  name: 'columns',
  doc: 'Its columns: {id: bigint}, or a mapping for more.',
  default: {},
  shape: recordOf(
    'column',
    shorthand(
      ['type'],
      object(
        {
          name: 'type',
          doc: 'The type of the column, one of the warehouse; inferred when absent.',
          shape: text,
        },
        { name: 'nullable', doc: 'Whether values may be missing.', shape: boolean, default: true },
        {
          name: 'pii',
          doc: 'Personal data: never shown in messages and samples.',
          shape: boolean,
          default: false,
        },
        { name: 'description', doc: 'What the column means.', shape: text },
        { name: 'from', doc: 'Its name at the source.', shape: text },
      ),
    ),
  ),
}

const contract: Key = {
  name: 'contract',
  doc: 'What the source promises; checked on every load.',
  shape: object(
    {
      name: 'evolution',
      doc: 'What happens when the source changes shape.',
      default: {},
      shape: shorthand(
        ['tables', 'columns', 'types'],
        object(
          { name: 'tables', doc: 'New child tables.', shape: evolutionModes, default: 'evolve' },
          { name: 'columns', doc: 'New columns.', shape: evolutionModes, default: 'evolve' },
          {
            name: 'types',
            doc: 'Values of another type, and values that are missing.',
            shape: evolutionModes,
            default: 'evolve',
          },
        ),
      ),
    },
    {
      name: 'enforce_types',
      doc: 'A record with a value that does not fit its declared type is rejected; otherwise the value becomes NULL.',
      shape: boolean,
      default: false,
    },
    requiredColumns,
    promisedColumns,
    {
      name: 'tables',
      doc: "What child tables promise, by the name in {{ source('lines') }}: {lines: {columns: {quantity: integer}}}.",
      default: {},
      shape: recordOf('child table', object(requiredColumns, promisedColumns)),
    },
    {
      name: 'allow_empty',
      doc: 'Whether a source that had records may have none; otherwise the asset fails (source-empty).',
      shape: boolean,
      default: false,
    },
    {
      name: 'max_rejects',
      doc: 'How many records may be rejected or lose a value, 10 or 1%; beyond that the asset fails.',
      shape: amount,
      defaultDoc: '0, unless a discard mode asks for rejects',
    },
  ),
}

const transform: Key = {
  name: 'transform',
  doc: "The SQL query that makes the asset; {{ source }} and {{ ref('asset') }} name what it reads.",
  required: true,
  shape: shorthand(
    ['sql'],
    object(
      {
        name: 'sql',
        doc: 'The query; the short form is the query itself.',
        shape: sqlTemplate,
        required: true,
      },
      unbuilt('python', 'A Python function that makes the asset.'),
      unbuilt('requires', 'Python packages that it needs.'),
      unbuilt('python_version', 'The Python that it needs.'),
    ),
  ),
}

const columns: Key = {
  name: 'columns',
  doc: 'Documentation of the columns that the asset has.',
  default: {},
  shape: recordOf(
    'column',
    object(
      { name: 'description', doc: 'What the column means.', shape: text },
      { name: 'type', doc: 'Its type.', shape: text },
      { name: 'term', doc: 'The glossary term that describes the column.', shape: text },
      {
        name: 'role',
        doc: 'Its part in the asset.',
        shape: columnRole,
      },
      {
        name: 'pii',
        doc: 'Personal data: never shown in messages and samples. `false` ends a mark that comes from upstream.',
        shape: boolean,
        defaultDoc: 'what the lineage says',
      },
    ),
  ),
}

const freshness: Key = {
  name: 'freshness',
  doc: 'How old the asset may get.',
  shape: needs(
    ['warn_after', 'error_after'],
    { name: 'warn_after', doc: 'Older is a warning.', shape: duration, property: 'warnAfterMs' },
    { name: 'error_after', doc: 'Older is an error.', shape: duration, property: 'errorAfterMs' },
    { name: 'column', doc: 'A timestamp column; the last run counts when absent.', shape: text },
  ),
}

const exposures: Key = {
  name: 'exposures',
  doc: 'Who uses the asset outside: dashboards, apps.',
  default: [],
  shape: {
    kind: 'list',
    of: object(
      { name: 'name', doc: 'Its name.', shape: text, required: true },
      {
        name: 'type',
        doc: 'What it is.',
        required: true,
        shape: choice(
          { value: 'dashboard', doc: 'A dashboard.' },
          { value: 'report', doc: 'A report.' },
          { value: 'application', doc: 'A program.' },
          { value: 'notebook', doc: 'A notebook.' },
          { value: 'ml', doc: 'A model that learns from it.' },
          { value: 'other', doc: 'Anything else.' },
        ),
      },
      { name: 'url', doc: 'Where it is.', shape: formatted(linkFormat) },
      { name: 'owner', doc: 'Who answers for it.', shape: text },
      { name: 'description', doc: 'What it shows.', shape: text },
    ),
  },
}

export const assetShape: ObjectShape = object(
  {
    name: 'name',
    doc: "The asset's name in refs and in the warehouse.",
    shape: formatted(nameFormat),
    required: true,
  },
  { name: 'description', doc: 'What the asset is, in a sentence.', shape: text },
  { name: 'owner', doc: 'Who answers for it.', shape: text },
  {
    name: 'tags',
    doc: 'Labels; tag:x selects by them.',
    shape: oneOrMore(formatted(tagFormat)),
    default: [],
  },
  { name: 'ingest', doc: 'Where the data comes from.', shape: ingestShape, required: true },
  contract,
  transform,
  columns,
  {
    name: 'tests',
    doc: 'Data tests, run on green before anything is promoted.',
    default: [],
    shape: { kind: 'list', of: testShape, keepsIndex: true },
  },
  freshness,
  deploy,
  publish,
  exposures,
)

const shapes = new WeakMap<OwnTestKeys, ObjectShape>()

/** Returns the shape of an asset's file in a project with tests of its own. */
export function assetShapeWith(own: OwnTestKeys): ObjectShape {
  if (own.size === 0) return assetShape
  const known = shapes.get(own)
  if (known !== undefined) return known
  const tests: Shape = { kind: 'list', of: testShapeWith(own), keepsIndex: true }
  const keys = assetShape.keys.map(key => (key.name === 'tests' ? { ...key, shape: tests } : key))
  const shape = { ...assetShape, keys }
  shapes.set(own, shape)
  return shape
}
