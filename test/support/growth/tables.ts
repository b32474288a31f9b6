/** Many assets, many columns. */
import {
  asset,
  base,
  type Dimension,
  fromBase,
  list,
  many,
  sqlOf,
  validate,
  wide,
  wideTable,
} from './dimension.ts'

const fromX = "{{ ref('x') }}"
const joined = (size: number, table: string) =>
  `SELECT ${list(size, index => `l.c${index} + r.c${index} AS c${index}`)} FROM ${table} AS l JOIN ${table} AS r ON l.c0 = r.c0`
const fieldsOf = (size: number, table: string) =>
  `SELECT ${list(size, index => `s.c${index} AS c${index}`)} FROM ${table}`

export const tableDimensions: readonly Dimension[] = [
  {
    name: 'assets',
    most: 3200,
    files: size => ({
      ...base,
      ...Object.fromEntries(
        many(size, index => [
          `models/a${index}.svc`,
          `name: a${index}\n${asset(`SELECT a + ${index} AS a FROM ${fromBase}`)}`,
        ]),
      ),
    }),
    lines: [['validate'], ['run'], ['plan'], ['status']],
  },
  {
    name: 'a chain of assets',
    most: 800,
    files: size => ({
      ...base,
      ...Object.fromEntries(
        many(size, index => [
          `models/a${index}.svc`,
          `name: a${index}\n${asset(`SELECT a + 1 AS a FROM {{ ref('${index === 0 ? 'base' : `a${index - 1}`}') }}`, 'deploy: {materialize: table}\n')}`,
        ]),
      ),
    }),
    lines: [['validate'], ['run']],
  },
  {
    name: 'assets that one reads',
    most: 3200,
    files: size => ({
      ...base,
      ...Object.fromEntries(
        many(size, index => [
          `models/a${index}.svc`,
          `name: a${index}\n${asset(`SELECT a + ${index} AS a FROM ${fromBase}`, 'deploy: {materialize: table}\n')}`,
        ]),
      ),
      'models/all.svc': `name: all\n${asset(list(size, index => `SELECT a FROM {{ ref('a${index}') }}`, '\nUNION ALL\n'))}`,
    }),
    lines: validate,
  },
  {
    name: 'columns of an asset',
    most: 2000,
    files: sqlOf(wide),
    lines: [['validate'], ['run'], ['sample', 'x', '--csv']],
  },
  {
    name: 'columns through SELECT *',
    most: 2000,
    files: size => ({
      ...sqlOf(wide)(size),
      'models/y.svc': `name: y\n${asset("SELECT * FROM {{ ref('x') }}")}`,
    }),
    lines: [['validate'], ['run']],
  },
  {
    name: 'columns of a contract',
    most: 2000,
    files: sqlOf(
      wide,
      size =>
        `contract:\n  columns:\n${list(size, index => `    c${index}: {type: bigint, description: Number ${index}.}\n`, '')}`,
    ),
    lines: [['validate'], ['run']],
  },
  {
    name: 'columns that are personal',
    most: 2000,
    files: size => ({
      ...sqlOf(
        wide,
        count => `contract:\n  columns:\n${list(count, index => `    c${index}: {pii: true}\n`, '')}`,
      )(size),
      'models/y.svc': `name: y\n${asset(`SELECT ${list(size, index => `md5(CAST(c${index} AS VARCHAR)) AS c${index}`)} FROM {{ ref('x') }}`)}`,
    }),
    lines: [['validate'], ['run'], ['sample', 'y']],
  },
  {
    name: 'columns of a join',
    most: 2000,
    files: size => ({
      ...sqlOf(wide)(size),
      'models/y.svc': `name: y\n${asset(joined(size, fromX))}`,
    }),
    lines: validate,
    engine: size => ({ tables: [wideTable(size)], query: joined(size, 'x') }),
  },
  {
    name: 'columns of USING',
    most: 2000,
    files: size => ({
      ...sqlOf(wide)(size),
      'models/y.svc': `name: y\n${asset(`SELECT * FROM {{ ref('x') }} AS l JOIN {{ ref('x') }} AS r USING (${list(size, index => `c${index}`)})`)}`,
    }),
    lines: validate,
  },
  {
    name: 'fields of a struct',
    most: 2000,
    files: size => ({
      ...sqlOf(
        count => `SELECT struct_pack(${list(count, index => `c${index} := a`)}) AS s FROM ${fromBase}`,
      )(size),
      'models/y.svc': `name: y\n${asset(fieldsOf(size, fromX))}`,
    }),
    lines: validate,
    engine: size => ({
      tables: [`CREATE TABLE x (s STRUCT(${list(size, index => `c${index} BIGINT`)}))`],
      query: fieldsOf(size, 'x'),
    }),
  },
  {
    name: 'names of EXCLUDE',
    most: 2000,
    files: size => ({
      ...sqlOf(count => wide(count + 1))(size),
      'models/y.svc': `name: y\n${asset(`SELECT * EXCLUDE (${list(size, index => `c${index}`)}) FROM {{ ref('x') }}`)}`,
    }),
    lines: validate,
  },
  {
    name: 'columns of GROUP BY',
    most: 2000,
    files: size => ({
      ...sqlOf(wide)(size),
      'models/y.svc': `name: y\n${asset(`SELECT ${list(size, index => `c${index}`)}, count(*) AS n FROM {{ ref('x') }} GROUP BY ALL`)}`,
    }),
    lines: validate,
  },
  {
    name: 'aggregates',
    most: 2000,
    files: size => ({
      ...sqlOf(wide)(size),
      'models/y.svc': `name: y\n${asset(`SELECT ${list(size, index => `sum(c${index}) AS c${index}`)} FROM {{ ref('x') }}`)}`,
    }),
    lines: validate,
  },
]
