import { type DiagnosticExamples, inOrders, model } from './example.ts'

export const syntaxExamples: DiagnosticExamples = {
  'duplicate-key': inOrders(
    model('SELECT 1 AS id', 'description: Orders.\ndescription: Orders of the shop.\n'),
    model('SELECT 1 AS id', 'description: Orders of the shop.\n'),
    'Remove one of the two.',
  ),
  'file-too-large': {
    files: {},
    fix: 'Move the rows into a data file (CSV, JSON, Parquet) and read it with `ingest: {type: file, …}`.',
  },
  'file-passed-over': {
    files: {},
    fix: 'Give the file a name that ends in `.svc` (macros, tests and declarations: `.sql`) in small letters and does not begin with a dot, or take it out of the folder. A test of `tests/` stands directly in it.',
  },
  'invalid-tag': inOrders(
    model('SELECT * FROM {{ ref(customers) }}'),
    undefined,
    'Use one of the tags that exist: `ref`, `source`, `var` and, in tests, `this`, each with its name in quotes, or a macro. There are no loops and no conditions.',
  ),
  'link-outside': {
    files: {},
    fix: 'Put the file itself into the project. Other commands follow the link.',
  },
  'too-many-problems': {
    files: {},
    fix: 'Fix the problems that are shown, usually the first ones: many others follow from them.',
  },
  'not-utf8': {
    files: {},
    fix: 'Save the file as UTF-8. Editors have this under "encoding"; `iconv -f latin1 -t utf8` converts it.',
  },
  'unclosed-tag': inOrders(
    model("SELECT * FROM {{ ref('customers')"),
    undefined,
    'Close the tag with `}}`, on the same line.',
  ),
  'unquoted-template': inOrders(
    "name: orders\ningest: none\ntransform: {{ ref('customers') }}\n",
    undefined,
    'Write SQL as a block: `transform: |` and the SQL on the next lines, two spaces in.',
  ),
  'yaml-alias': inOrders(
    model('SELECT 1 AS id', 'tags: *core\n'),
    model('SELECT 1 AS id', 'tags: [core]\n'),
    'Write the value itself. Quote a text that begins with `*`.',
  ),
  'yaml-depth': { files: {}, fix: 'Nest fewer lists and mappings in one another.' },
  'yaml-merge': inOrders(
    model('SELECT 1 AS id', 'deploy:\n  <<: {materialize: view}\n'),
    model('SELECT 1 AS id', 'deploy:\n  materialize: view\n'),
    'Write the keys out.',
  ),
  'yaml-syntax': inOrders(
    'name: orders\ningest: none\ntransform: SELECT 1 AS id\ntags: [core, people\n',
    'name: orders\ningest: none\ntransform: SELECT 1 AS id\ntags: [core, people]\n',
    'Look at the marked place and the line above it: usually a bracket or a quote is not closed, or lines are indented with tabs.',
  ),
  'yaml-tag': inOrders(
    model('SELECT 1 AS id', 'description: !text Orders\n'),
    model('SELECT 1 AS id', 'description: Orders\n'),
    'Remove the tag. A text that begins with `!` needs quotes.',
  ),
}
