/** What a project may have many of: how its files look with so many, and which commands are measured on them. */

export interface Dimension {
  readonly name: string
  /** The first of three sizes, each four times the one before. */
  readonly least: number
  readonly files: (size: number) => Readonly<Record<string, string>>
  readonly lines: readonly (readonly string[])[]
  readonly env?: (size: number) => Readonly<Record<string, string>>
  /** Why it may grow faster than its size. */
  readonly known?: string
}

const validate = [['validate']] as const
const run = [['run']] as const

function many<T>(size: number, item: (index: number) => T): T[] {
  return Array.from({ length: size }, (_, index) => item(index))
}

function list(size: number, item: (index: number) => string, separator = ', '): string {
  return many(size, item).join(separator)
}

function asset(sql: string, more = ''): string {
  return `ingest: none\ntransform: |\n  ${sql.replaceAll('\n', '\n  ')}\n${more}`
}

/** An asset of a few numbers, which the others read. */
const base = {
  'models/base.svc': `name: base\n${asset('SELECT range AS a, range % 7 AS b, range % 3 AS c FROM range(100)')}`,
}
const fromBase = "{{ ref('base') }}"

/** One asset `x` over the base. */
function sqlOf(text: (size: number) => string, more: (size: number) => string = () => '') {
  return (size: number) => ({ ...base, 'models/x.svc': `name: x\n${asset(text(size), more(size))}` })
}

const testsOf = (test: (index: number) => string) => (size: number) =>
  `tests:\n${list(size, index => `  - ${test(index)}\n`, '')}`

const wide = (size: number) => `SELECT ${list(size, index => `a + ${index} AS c${index}`)} FROM ${fromBase}`

function rowsAsset(size: number, row: (index: number) => string): string {
  return `ingest:\n  type: rows\n  rows:\n${list(size, index => `    - ${row(index)}\n`, '')}`
}

export const dimensions: readonly Dimension[] = [
  {
    name: 'assets',
    least: 50,
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
    least: 20,
    files: size => ({
      ...base,
      ...Object.fromEntries(
        many(size, index => [
          `models/a${index}.svc`,
          `name: a${index}\n${asset(`SELECT a + 1 AS a FROM {{ ref('${index === 0 ? 'base' : `a${index - 1}`}') }}`, 'deploy: {materialize: table}\n')}`,
        ]),
      ),
    }),
    lines: [['validate'], ['run'], ['lineage', 'base']],
  },
  {
    name: 'assets that one reads',
    least: 20,
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
    least: 100,
    files: sqlOf(wide),
    lines: [['validate'], ['run'], ['sample', 'x', '--csv']],
  },
  {
    name: 'columns through SELECT *',
    least: 100,
    files: size => ({
      ...sqlOf(wide)(size),
      'models/y.svc': `name: y\n${asset("SELECT * FROM {{ ref('x') }}")}`,
    }),
    lines: [['validate'], ['run']],
  },
  {
    name: 'columns of a contract',
    least: 50,
    files: sqlOf(
      wide,
      size =>
        `contract:\n  columns:\n${list(size, index => `    c${index}: {type: bigint, description: Number ${index}.}\n`, '')}`,
    ),
    lines: [['validate'], ['run']],
  },
  {
    name: 'columns that are personal',
    least: 25,
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
    least: 50,
    files: size => ({
      ...sqlOf(wide)(size),
      'models/y.svc': `name: y\n${asset(`SELECT ${list(size, index => `l.c${index} + r.c${index} AS c${index}`)} FROM {{ ref('x') }} AS l JOIN {{ ref('x') }} AS r ON l.c0 = r.c0`)}`,
    }),
    lines: validate,
  },
  {
    name: 'columns of USING',
    least: 50,
    files: size => ({
      ...sqlOf(wide)(size),
      'models/y.svc': `name: y\n${asset(`SELECT * FROM {{ ref('x') }} AS l JOIN {{ ref('x') }} AS r USING (${list(size, index => `c${index}`)})`)}`,
    }),
    lines: validate,
  },
  {
    name: 'fields of a struct',
    least: 50,
    files: size => ({
      ...sqlOf(
        count => `SELECT struct_pack(${list(count, index => `c${index} := a`)}) AS s FROM ${fromBase}`,
      )(size),
      'models/y.svc': `name: y\n${asset(`SELECT ${list(size, index => `s.c${index} AS c${index}`)} FROM {{ ref('x') }}`)}`,
    }),
    lines: validate,
  },
  {
    name: 'names of EXCLUDE',
    least: 100,
    files: size => ({
      ...sqlOf(count => wide(count + 1))(size),
      'models/y.svc': `name: y\n${asset(`SELECT * EXCLUDE (${list(size, index => `c${index}`)}) FROM {{ ref('x') }}`)}`,
    }),
    lines: validate,
  },
  {
    name: 'columns of GROUP BY',
    least: 50,
    files: size => ({
      ...sqlOf(wide)(size),
      'models/y.svc': `name: y\n${asset(`SELECT ${list(size, index => `c${index}`)}, count(*) AS n FROM {{ ref('x') }} GROUP BY ALL`)}`,
    }),
    lines: validate,
  },
  {
    name: 'aggregates',
    least: 50,
    files: size => ({
      ...sqlOf(wide)(size),
      'models/y.svc': `name: y\n${asset(`SELECT ${list(size, index => `sum(c${index}) AS c${index}`)} FROM {{ ref('x') }}`)}`,
    }),
    lines: validate,
  },
  {
    name: 'windows',
    least: 25,
    files: sqlOf(
      size => `SELECT ${list(size, index => `lag(a) OVER (ORDER BY b, c) AS c${index}`)} FROM ${fromBase}`,
    ),
    lines: validate,
  },
  {
    name: 'AND',
    least: 100,
    files: sqlOf(size => `SELECT a FROM ${fromBase} WHERE ${list(size, index => `a <> ${index}`, ' AND ')}`),
    lines: validate,
  },
  {
    name: 'OR',
    least: 25,
    files: sqlOf(size => `SELECT a FROM ${fromBase} WHERE ${list(size, index => `a = ${index}`, ' OR ')}`),
    lines: validate,
  },
  {
    name: 'IN',
    least: 250,
    files: sqlOf(size => `SELECT a FROM ${fromBase} WHERE a IN (${list(size, index => String(index))})`),
    lines: validate,
  },
  {
    name: 'VALUES',
    least: 100,
    files: sqlOf(
      size => `SELECT * FROM (VALUES ${list(size, index => `(${index}, 'v${index}')`)}) AS v(a, b)`,
    ),
    lines: validate,
  },
  {
    name: 'CASE branches',
    least: 50,
    files: sqlOf(
      size =>
        `SELECT CASE ${list(size, index => `WHEN a = ${index} THEN 'v${index}'`, ' ')} END AS v FROM ${fromBase}`,
    ),
    lines: validate,
  },
  {
    name: 'CTEs',
    least: 20,
    files: sqlOf(
      size =>
        `WITH ${list(size, index => `q${index} AS (SELECT a FROM ${index === 0 ? fromBase : `q${index - 1}`})`)} SELECT * FROM q${size - 1}`,
    ),
    lines: validate,
  },
  {
    name: 'unions',
    least: 25,
    files: sqlOf(size => list(size, index => `SELECT a, ${index} AS i FROM ${fromBase}`, '\nUNION ALL\n')),
    lines: validate,
  },
  {
    name: 'joins',
    least: 3,
    files: sqlOf(
      size =>
        `SELECT t0.a FROM ${fromBase} AS t0 ${list(size, index => `JOIN ${fromBase} AS t${index + 1} ON t0.a = t${index + 1}.a`, ' ')}`,
    ),
    lines: validate,
  },
  {
    name: 'brackets',
    least: 10,
    files: sqlOf(size => `SELECT ${'('.repeat(size)}a${' + 1)'.repeat(size)} AS a FROM ${fromBase}`),
    lines: validate,
  },
  {
    name: 'subqueries in each other',
    least: 5,
    files: sqlOf(
      size =>
        `SELECT a FROM ${'(SELECT a FROM '.repeat(size)}${fromBase}${many(size, index => `) AS s${index}`).join('')}`,
    ),
    lines: validate,
  },
  {
    name: 'operands of +',
    least: 50,
    files: sqlOf(size => `SELECT ${list(size, () => 'a', ' + ')} AS a FROM ${fromBase}`),
    lines: validate,
  },
  {
    name: 'arguments of a call',
    least: 100,
    files: sqlOf(size => `SELECT concat(${list(size, () => 'a')}) AS a FROM ${fromBase}`),
    lines: validate,
  },
  {
    name: 'a line of SQL',
    least: 1000,
    files: sqlOf(size => `SELECT a /* ${'x'.repeat(size * 16)} */ FROM ${fromBase}`),
    lines: validate,
  },
  {
    name: 'comments',
    least: 250,
    files: sqlOf(size => `SELECT a\n${list(size, index => `-- note ${index}`, '\n')}\nFROM ${fromBase}`),
    lines: validate,
  },
  {
    name: 'string literals',
    least: 50,
    files: sqlOf(size => `SELECT ${list(size, index => `'v${index}' AS c${index}`)} FROM ${fromBase}`),
    lines: validate,
  },
  {
    name: 'dates that are compared',
    least: 25,
    files: sqlOf(
      size =>
        `SELECT a FROM ${fromBase} WHERE DATE '2024-01-01' + CAST(a AS INTEGER) IN (${list(size, index => `'20${10 + (index % 80)}-01-02'`)})`,
    ),
    lines: validate,
  },
  {
    name: 'tests not_null',
    least: 50,
    files: sqlOf(
      wide,
      testsOf(index => `not_null: c${index}`),
    ),
    lines: [['validate'], ['run']],
  },
  {
    name: 'tests unique',
    least: 50,
    files: sqlOf(
      wide,
      testsOf(index => `unique: c${index}`),
    ),
    lines: [['validate'], ['run']],
  },
  {
    name: 'tests range',
    least: 50,
    files: sqlOf(
      wide,
      testsOf(index => `range: {c${index}: {min: 0}}`),
    ),
    lines: [['validate'], ['run']],
  },
  {
    name: 'tests expression',
    least: 25,
    files: sqlOf(
      wide,
      testsOf(index => `expression: c${index} >= 0`),
    ),
    lines: [['validate'], ['run']],
  },
  {
    name: 'tests matches',
    least: 25,
    files: sqlOf(
      size => `SELECT ${list(size, index => `CAST(a AS VARCHAR) AS c${index}`)} FROM ${fromBase}`,
      testsOf(index => `matches: {c${index}: '^[0-9]+$'}`),
    ),
    lines: [['validate'], ['run']],
  },
  {
    name: 'tests relationships',
    least: 10,
    files: sqlOf(
      wide,
      testsOf(index => `relationships: {c${index}: base.a}\n    severity: warn`),
    ),
    lines: [['validate'], ['run']],
  },
  {
    name: 'tests sql',
    least: 10,
    files: sqlOf(
      () => `SELECT a FROM ${fromBase}`,
      testsOf(index => `sql: SELECT a FROM {{ this }} WHERE a < -${index}`),
    ),
    lines: [['validate'], ['run']],
  },
  {
    name: 'values of accepted_values',
    least: 250,
    files: sqlOf(
      () => `SELECT a FROM ${fromBase}`,
      size => `tests:\n  - accepted_values: {a: [${list(size, String)}]}\n    severity: warn\n`,
    ),
    lines: [['validate'], ['run']],
  },
  {
    name: 'unit tests',
    least: 5,
    files: sqlOf(
      () => `SELECT a + 1 AS a FROM ${fromBase}`,
      testsOf(index => `unit:\n      given: {base: [{a: ${index}}]}\n      expect: [{a: ${index + 1}}]`),
    ),
    lines: validate,
  },
  {
    name: 'rows of a unit test',
    least: 50,
    files: sqlOf(
      () => `SELECT a + 1 AS a FROM ${fromBase}`,
      size =>
        `tests:\n  - unit:\n      given:\n        base:\n${list(size, index => `          - {a: ${index}}\n`, '')}      expect:\n${list(size, index => `        - {a: ${index + 1}}\n`, '')}`,
    ),
    lines: validate,
  },
  {
    name: 'macros',
    least: 25,
    files: size => ({
      ...base,
      ...Object.fromEntries(
        many(size, index => [
          `macros/m${index}.sql`,
          `-- Adds ${index}.\nCREATE MACRO m${index}(x) AS x + ${index};\n`,
        ]),
      ),
      'models/x.svc': `name: x\n${asset(`SELECT m0(a) AS a FROM ${fromBase}`)}`,
    }),
    lines: validate,
  },
  {
    name: 'vars',
    least: 100,
    files: size => ({
      ...base,
      'svc.yaml': `name: grown\nvars:\n${list(size, index => `  v${index}: ${index}\n`, '')}`,
      'models/x.svc': `name: x\n${asset(`SELECT ${list(Math.ceil(size / 4), index => `a + {{ var('v${index}') }} AS c${index}`)} FROM ${fromBase}`)}`,
    }),
    lines: validate,
  },
  {
    name: 'environments',
    least: 50,
    files: size => ({
      ...base,
      'svc.yaml': `name: grown\nenvironments:\n${list(size, index => `  e${index}: {vars: {x: ${index}}}\n`, '')}`,
    }),
    lines: validate,
  },
  {
    name: 'tags',
    least: 100,
    files: sqlOf(
      () => `SELECT a FROM ${fromBase}`,
      size => `tags: [${list(size, index => `t${index}`)}]\n`,
    ),
    lines: [['validate'], ['ls', '--select', 'tag:t0']],
  },
  {
    name: 'terms of the glossary',
    least: 50,
    files: size => ({
      ...sqlOf(wide)(size),
      'glossary.yaml': `terms:\n${list(size, index => `  - term: C${index}\n    definition: Number ${index}.\n`, '')}`,
    }),
    lines: validate,
  },
  {
    name: 'rows in a file',
    least: 500,
    files: size => ({
      'models/x.svc': `name: x\n${rowsAsset(size, index => `{id: ${index}, name: n${index}}`)}transform: SELECT * FROM {{ source }}\n`,
    }),
    lines: [['validate'], ['run']],
  },
  {
    name: 'columns of rows',
    least: 25,
    files: size => ({
      'models/x.svc': `name: x\n${rowsAsset(20, row => `{${list(size, index => `c${index}: ${row + index}`)}}`)}transform: SELECT * FROM {{ source }}\n`,
    }),
    lines: [['validate'], ['run']],
  },
  {
    name: 'records of NDJSON',
    least: 2000,
    files: size => ({ ...ndjson(size, index => ({ id: index, name: `n${index}` })) }),
    lines: [['validate'], ['run']],
  },
  {
    name: 'keys of a record',
    least: 25,
    files: size => ({
      ...ndjson(20, row => Object.fromEntries(many(size, index => [`k${index}`, row + index]))),
    }),
    lines: [['validate'], ['run']],
  },
  {
    name: 'keys in each other',
    least: 5,
    files: size => ({ ...ndjson(20, row => nested(row, size)) }),
    lines: [['validate'], ['run']],
  },
  {
    name: 'texts of records',
    least: 1000,
    files: size => ({ ...ndjson(20, row => ({ id: row, text: 'x'.repeat(size * 16) })) }),
    lines: [['validate'], ['run']],
  },
  {
    name: 'files of a source',
    least: 10,
    files: size => ({
      ...Object.fromEntries(many(size, index => [`data/f${index}.ndjson`, `{"id": ${index}}\n`])),
      'models/x.svc': `name: x\n${fileIngest('*.ndjson')}`,
    }),
    lines: [['validate'], ['run']],
  },
  {
    name: 'rejected rows',
    least: 100,
    files: size => ({
      ...ndjson(
        size * 2,
        index => ({ id: index, n: index % 2 === 0 ? index : `x${index}` }),
        'contract:\n  on_violation: reject\n  columns:\n    n: {type: bigint}\n',
      ),
    }),
    lines: run,
  },
  {
    name: 'problems of a file',
    least: 25,
    files: sqlOf(
      wide,
      testsOf(index => `not_null: c${index}\n    tags: [a${index}]`),
    ),
    lines: validate,
  },
]

function nested(row: number, depth: number): unknown {
  let value: unknown = row
  for (let level = 0; level < depth; level++) value = { inner: value }
  return value
}

function fileIngest(resource: string, more = ''): string {
  return `ingest: {type: file, endpoint: ./data, resource: '${resource}'}\ntransform: SELECT * FROM {{ source }}\n${more}`
}

function ndjson(size: number, record: (index: number) => unknown, more = ''): Record<string, string> {
  return {
    'data/x.ndjson': list(size, index => `${JSON.stringify(record(index))}\n`, ''),
    'models/x.svc': `name: x\n${fileIngest('x.ndjson', more)}`,
  }
}
