/** What a project lists and maps: each list and each mapping of the schema may be long. */
import {
  asset,
  base,
  type Dimension,
  fileIngest,
  fromBase,
  list,
  many,
  ndjson,
  sqlOf,
  testsOf,
  validate,
  wide,
} from './dimension.ts'

const checkAndPlan = [['validate'], ['plan']] as const
const checkAndRun = [['validate'], ['run']] as const
const lines = (size: number, line: (index: number) => string) => list(size, line, '')

/** An asset of as many columns and its glossary. */
function glossaryOf(text: (size: number) => string) {
  return (size: number) => ({ ...sqlOf(wide)(size), 'glossary.yaml': text(size) })
}

/** A glossary that has much, about an asset of a few columns. */
const fewColumns = 50
function longGlossary(text: (size: number) => string) {
  return (size: number) => ({ ...sqlOf(() => wide(fewColumns))(size), 'glossary.yaml': text(size) })
}

/** Assets `a0`, `a1`, … over the base, and files with them. */
function assetsWith(more: (size: number) => Readonly<Record<string, string>>, each = '') {
  return (size: number) => ({
    ...base,
    ...Object.fromEntries(
      many(size, index => [
        `models/a${index}.svc`,
        `name: a${index}\n${asset(`SELECT a + ${index} AS a FROM ${fromBase}`, each)}`,
      ]),
    ),
    ...more(size),
  })
}

/**
 * A record of the columns whose bits its number has: as many layouts as records, of few columns. If each had one of its own, the
 * table would have the square of their number in cells; test/long/width-peaks.test.ts measures that.
 */
function recordOfLayout(index: number): Readonly<Record<string, number>> {
  const bits = many(12, bit => bit).filter(bit => Math.floor(index / 2 ** bit) % 2 === 1)
  return Object.fromEntries([['id', index], ...bits.map(bit => [`c${bit}`, index])])
}

export const listDimensions: readonly Dimension[] = [
  {
    name: 'links of the glossary',
    most: 2000,
    files: glossaryOf(
      size =>
        `terms:\n${lines(size, index => `  - name: T${index}\n`)}links:\n${lines(size, index => `  - {term: T${index}, asset: x, column: c${index}}\n`)}`,
    ),
    lines: validate,
  },
  {
    name: 'policies',
    most: 2000,
    files: glossaryOf(
      size =>
        `policies:\n${lines(size, index => `  - {name: P${index}, rule: Number ${index}., pii_columns: [x.c${index}], applies_to: [marts.*], enforcement: warn}\n`)}`,
    ),
    lines: validate,
  },
  {
    name: 'columns of a policy',
    most: 2000,
    files: glossaryOf(
      size =>
        `policies:\n  - {name: P, rule: None., pii_columns: [${list(size, index => `c${index}`)}], applies_to: [marts.*], enforcement: warn}\n`,
    ),
    lines: validate,
  },
  {
    name: 'metrics',
    most: 2000,
    files: longGlossary(
      size =>
        `metrics:\n${lines(size, index => `  - {name: M${index}, sql_definition: sum(c${index % fewColumns}), source_assets: [x]}\n`)}`,
    ),
    lines: validate,
  },
  {
    name: 'synonyms of a term',
    most: 2000,
    files: longGlossary(
      size => `terms:\n  - name: T\n    synonyms: [${list(size, index => `also t${index}`)}]\n`,
    ),
    lines: validate,
  },
  {
    name: 'values of a dimension of the glossary',
    most: 16_000,
    files: longGlossary(
      size => `dimensions:\n  - {name: D, values: [${list(size, index => `v${index}`)}]}\n`,
    ),
    lines: validate,
  },
  {
    name: 'texts about columns',
    most: 2000,
    files: sqlOf(
      wide,
      size => `columns:\n${lines(size, index => `  c${index}: {description: Number ${index}.}\n`)}`,
    ),
    lines: checkAndRun,
  },
  {
    name: 'tests of its own',
    most: 320,
    files: size => ({
      ...sqlOf(
        wide,
        testsOf(index => `own${index}: c${index}`),
      )(size),
      ...Object.fromEntries(
        many(size, index => [
          `tests/own${index}.sql`,
          `-- Number ${index}.\n-- param column: column\nSELECT {{ column }} FROM {{ this }} WHERE {{ column }} < -${index + 1}\n`,
        ]),
      ),
    }),
    lines: checkAndRun,
  },
  {
    name: 'inputs of a unit test',
    most: 320,
    files: assetsWith(size => ({
      'models/all.svc': `name: all\n${asset(
        list(size, index => `SELECT a FROM {{ ref('a${index}') }}`, '\nUNION ALL\n'),
        `tests:\n  - unit:\n      given: {${list(size, index => `a${index}: [{a: ${index}}]`)}}\n      expect: [${list(size, index => `{a: ${index}}`)}]\n`,
      )}`,
    })),
    lines: validate,
  },
  {
    name: 'exposures',
    most: 3200,
    files: sqlOf(
      () => `SELECT a FROM ${fromBase}`,
      size => `exposures:\n${lines(size, index => `  - {name: Board ${index}, type: dashboard}\n`)}`,
    ),
    lines: checkAndRun,
  },
  {
    name: 'targets of publish',
    most: 320,
    files: sqlOf(
      () => `SELECT a FROM ${fromBase}`,
      size =>
        `publish:\n${lines(size, index => `  t${index}: {type: duckdb, endpoint: 'duckdb:./out.duckdb', resource: t${index}, key: a, environments: [dev]}\n`)}`,
    ),
    lines: [['validate'], ['run'], ['publish', 'x', '--to', 't0', '--dry-run']],
  },
  {
    name: 'columns that are published',
    most: 2000,
    files: sqlOf(
      wide,
      () =>
        "publish:\n  out: {type: duckdb, endpoint: 'duckdb:./out.duckdb', resource: x, key: c0, environments: [dev]}\n",
    ),
    lines: [['run'], ['publish', 'x', '--to', 'out'], ['publish', 'x', '--to', 'out']],
  },
  {
    name: 'roles of grants',
    most: 4000,
    files: size => ({
      ...sqlOf(
        () => `SELECT a FROM ${fromBase}`,
        count => `deploy: {grants: {select: [${list(count, index => `r${index}`)}]}}\n`,
      )(size),
      'svc.yaml': 'name: grown\nwarehouse: postgres://localhost:1/none\n',
      'models/base.svc': `name: base\n${asset('SELECT a, a % 7 AS b FROM generate_series(0, 99) AS s(a)')}`,
    }),
    lines: validate,
  },
  {
    name: 'notifications',
    most: 3200,
    files: size => ({
      ...base,
      'svc.yaml': `name: grown\nnotify:\n${lines(size, index => `  n${index}: {type: webhook, endpoint: env:N${index}, select: base}\n`)}`,
    }),
    lines: checkAndPlan,
  },
  {
    name: 'patterns of defaults',
    most: 800,
    files: size =>
      assetsWith(() => ({
        'svc.yaml': `name: grown\ndefaults:\n${lines(size, index => `  models/a${index}*.svc: {tags: [t${index}]}\n`)}`,
      }))(100),
    lines: validate,
  },
  {
    name: 'statements around a build',
    most: 800,
    files: sqlOf(
      () => `SELECT a FROM ${fromBase}`,
      size =>
        `deploy:\n  materialize: table\n  after:\n${lines(size, index => `    - DELETE FROM {{ this }} WHERE a = -${index + 1}\n`)}`,
    ),
    lines: checkAndRun,
  },
  {
    name: 'indexes',
    most: 320,
    files: sqlOf(
      wide,
      size => `deploy:\n  materialize: table\n  indexes: [${list(size, index => `c${index}`)}]\n`,
    ),
    lines: checkAndRun,
    engine: size => ({
      tables: [
        `CREATE TABLE x AS SELECT ${list(size, index => `range + ${index} AS c${index}`)} FROM range(100)`,
      ],
      statements: many(size, index => `CREATE INDEX i${index} ON x (c${index})`),
      query: 'SELECT c0 FROM x',
    }),
  },
  {
    name: 'names of a selector',
    most: 1600,
    files: size => assetsWith(() => ({}))(size),
    lines: size => [
      ['ls', '--select', list(size, index => `a${index}`, ',')],
      ['plan', list(size, index => `+a${index}`, ',')],
    ],
  },
  {
    name: 'masked columns',
    most: 2000,
    files: size =>
      ndjson(
        20,
        row => Object.fromEntries(many(size, index => [`k${index}`, `v${row + index}`])),
        '',
        `mask: {${list(size, index => `k${index}: hash`)}}`,
      ),
    env: () => ({ SVC_MASK_KEY: 'x'.repeat(40) }),
    lines: checkAndRun,
  },
  {
    name: 'names of exclude',
    most: 2000,
    files: size =>
      ndjson(
        20,
        row => Object.fromEntries(many(size + 1, index => [`k${index}`, row + index])),
        '',
        `exclude: [${list(size, index => `k${index}`)}]`,
      ),
    lines: checkAndRun,
  },
  {
    name: 'lists in a record',
    most: 320,
    files: size =>
      ndjson(20, row => ({
        id: row,
        ...Object.fromEntries(many(size, index => [`l${index}`, [{ n: row }, { n: index }]])),
      })),
    lines: checkAndRun,
  },
  {
    name: 'layouts of CSV files',
    most: 400,
    files: size => ({
      ...Object.fromEntries(many(size, index => [`data/f${index}.csv`, `id,c${index}\n${index},${index}\n`])),
      'models/x.svc': `name: x\n${fileIngest('*.csv')}`,
    }),
    lines: checkAndRun,
  },
  {
    name: 'layouts of JSON files',
    most: 800,
    files: size => ({
      ...Object.fromEntries(
        many(size, index => [`data/f${index}.json`, `${JSON.stringify(recordOfLayout(index))}\n`]),
      ),
      'models/x.svc': `name: x\n${fileIngest('*.json')}`,
    }),
    lines: checkAndRun,
  },
  {
    name: 'lines of a CSV file',
    most: 512_000,
    files: size => ({
      'data/x.csv': `id,name\n${lines(size, index => `${index},n${index}\n`)}`,
      'models/x.svc': `name: x\n${fileIngest('x.csv')}`,
    }),
    lines: checkAndRun,
  },
  {
    name: 'letters of a CSV cell',
    most: 3_200_000,
    files: size => ({
      'data/x.csv': `id,name\n1,${'x'.repeat(size)}\n2,y\n`,
      'models/x.svc': `name: x\n${fileIngest('x.csv')}`,
    }),
    lines: checkAndRun,
  },
  {
    name: 'calls of a macro',
    most: 4000,
    files: size => ({
      ...base,
      'macros/plus.sql': '-- Adds one.\nCREATE MACRO plus(x) AS x + 1;\n',
      'models/x.svc': `name: x\n${asset(`SELECT ${list(size, index => `{{ plus(a) }} AS c${index}`)} FROM ${fromBase}`)}`,
    }),
    lines: validate,
  },
  {
    name: 'lines to format',
    most: 4000,
    files: sqlOf(size => `select ${list(size, index => `a+${index} as c${index}`)} from ${fromBase}`),
    lines: [['fmt']],
  },
  {
    name: 'runs of a history',
    most: 96,
    files: () => base,
    lines: size => [...many(size, () => ['run', '--full-refresh']), ['status'], ['versions', 'base']],
  },
]
