/** Many tests, settings, rows, files. */
import {
  asset,
  base,
  type Dimension,
  fileIngest,
  fromBase,
  list,
  many,
  ndjson,
  nested,
  rowsAsset,
  run,
  sqlOf,
  testsOf,
  validate,
  wide,
} from './dimension.ts'

export const dataDimensions: readonly Dimension[] = [
  {
    name: 'tests not_null',
    most: 2000,
    files: sqlOf(
      wide,
      testsOf(index => `not_null: c${index}`),
    ),
    lines: [['validate'], ['run']],
  },
  {
    name: 'tests unique',
    most: 2000,
    files: sqlOf(
      wide,
      testsOf(index => `unique: c${index}`),
    ),
    lines: [['validate'], ['run']],
  },
  {
    name: 'tests range',
    most: 2000,
    files: sqlOf(
      wide,
      testsOf(index => `range: {c${index}: {min: 0}}`),
    ),
    lines: [['validate'], ['run']],
  },
  {
    name: 'tests expression',
    most: 2000,
    files: sqlOf(
      wide,
      testsOf(index => `expression: c${index} >= 0`),
    ),
    lines: [['validate'], ['run']],
  },
  {
    name: 'tests matches',
    most: 2000,
    files: sqlOf(
      size => `SELECT ${list(size, index => `CAST(a AS VARCHAR) AS c${index}`)} FROM ${fromBase}`,
      testsOf(index => `matches: {c${index}: '^[0-9]+$'}`),
    ),
    lines: [['validate'], ['run']],
  },
  {
    name: 'tests relationships',
    most: 400,
    files: sqlOf(
      // One row fails in each, however many there are.
      size => `SELECT ${list(size, index => `a + 1 AS c${index}`)} FROM ${fromBase}`,
      testsOf(index => `relationships: {c${index}: base.a}\n    severity: warn`),
    ),
    lines: [['validate'], ['run']],
  },
  {
    name: 'tests sql',
    most: 800,
    files: sqlOf(
      () => `SELECT a FROM ${fromBase}`,
      testsOf(index => `sql: SELECT a FROM {{ this }} WHERE a < -${index}`),
    ),
    lines: [['validate'], ['run']],
  },
  {
    name: 'values of accepted_values',
    most: 16_000,
    files: sqlOf(
      () => `SELECT a FROM ${fromBase}`,
      size => `tests:\n  - accepted_values: {a: [${list(size, String)}]}\n    severity: warn\n`,
    ),
    lines: [['validate'], ['run']],
  },
  {
    name: 'unit tests',
    most: 320,
    files: sqlOf(
      () => `SELECT a + 1 AS a FROM ${fromBase}`,
      testsOf(index => `unit:\n      given: {base: [{a: ${index}}]}\n      expect: [{a: ${index + 1}}]`),
    ),
    lines: validate,
  },
  {
    name: 'rows of a unit test',
    most: 3200,
    files: sqlOf(
      () => `SELECT a + 1 AS a FROM ${fromBase}`,
      size =>
        `tests:\n  - unit:\n      given:\n        base:\n${list(size, index => `          - {a: ${index}}\n`, '')}      expect:\n${list(size, index => `        - {a: ${index + 1}}\n`, '')}`,
    ),
    lines: validate,
  },
  {
    name: 'macros',
    most: 1600,
    files: size => ({
      ...base,
      ...Object.fromEntries(
        many(size, index => [
          `macros/m${index}.sql`,
          `-- Adds ${index}.\nCREATE MACRO m${index}(x) AS x + ${index};\n`,
        ]),
      ),
      'models/x.svc': `name: x\n${asset(`SELECT {{ m0(a) }} AS a FROM ${fromBase}`)}`,
    }),
    lines: validate,
  },
  {
    name: 'vars',
    most: 4000,
    files: size => ({
      ...base,
      'svc.yaml': `name: grown\nvars:\n${list(size, index => `  v${index}: ${index}\n`, '')}`,
      'models/x.svc': `name: x\n${asset(`SELECT ${list(Math.ceil(size / 4), index => `a + {{ var('v${index}') }} AS c${index}`)} FROM ${fromBase}`)}`,
    }),
    lines: validate,
  },
  {
    name: 'environments',
    most: 3200,
    files: size => ({
      ...base,
      'svc.yaml': `name: grown\nenvironments:\n${list(size, index => `  e${index}: {vars: {x: ${index}}}\n`, '')}`,
    }),
    lines: validate,
  },
  {
    name: 'tags',
    most: 4000,
    files: sqlOf(
      () => `SELECT a FROM ${fromBase}`,
      size => `tags: [${list(size, index => `t${index}`)}]\n`,
    ),
    lines: [['validate'], ['ls', '--select', 'tag:t0']],
  },
  {
    name: 'terms of the glossary',
    most: 2000,
    files: size => ({
      ...sqlOf(wide)(size),
      'glossary.yaml': `terms:\n${list(size, index => `  - name: C${index}\n    description: Number ${index}.\n`, '')}`,
    }),
    lines: validate,
  },
  {
    name: 'rows in a file',
    most: 16_000,
    files: size => ({
      'models/x.svc': `name: x\n${rowsAsset(size, index => `{id: ${index}, name: n${index}}`)}transform: SELECT * FROM {{ source }}\n`,
    }),
    lines: [['validate'], ['run']],
  },
  {
    name: 'columns of rows',
    most: 2000,
    files: size => ({
      'models/x.svc': `name: x\n${rowsAsset(20, row => `{${list(size, index => `c${index}: ${row + index}`)}}`)}transform: SELECT * FROM {{ source }}\n`,
    }),
    lines: [['validate'], ['run']],
  },
  {
    name: 'records of NDJSON',
    most: 512_000,
    files: size => ({ ...ndjson(size, index => ({ id: index, name: `n${index}` })) }),
    lines: [['validate'], ['run']],
  },
  {
    name: 'keys of a record',
    most: 2000,
    files: size => ({
      ...ndjson(20, row => Object.fromEntries(many(size, index => [`k${index}`, row + index]))),
    }),
    lines: [['validate'], ['run']],
  },
  {
    name: 'keys in each other',
    most: 80,
    files: size => ({ ...ndjson(20, row => nested(row, size)) }),
    lines: [['validate'], ['run']],
  },
  {
    name: 'texts of records',
    most: 64_000,
    files: size => ({ ...ndjson(20, row => ({ id: row, text: 'x'.repeat(size * 16) })) }),
    lines: [['validate'], ['run']],
  },
  {
    name: 'files of a source',
    most: 3200,
    files: size => ({
      ...Object.fromEntries(many(size, index => [`data/f${index}.ndjson`, `{"id": ${index}}\n`])),
      'models/x.svc': `name: x\n${fileIngest('*.ndjson')}`,
    }),
    lines: [['validate'], ['run']],
  },
  {
    name: 'rejected rows',
    most: 25_600,
    files: size => ({
      ...ndjson(
        size * 2,
        index => ({ id: index, n: index % 2 === 0 ? index : `x${index}` }),
        'contract:\n  max_rejects: 90%\n  enforce_types: true\n  columns:\n    id: {type: bigint}\n    n: {type: bigint}\n',
      ),
    }),
    lines: run,
  },
  {
    name: 'problems of a file',
    most: 1600,
    files: sqlOf(
      wide,
      testsOf(index => `not_null: c${index}\n    tags: [a${index}]`),
    ),
    lines: validate,
  },
]
