/**
 * Every code that a diagnostic can carry, with what it means: the checks' own, and those of the parser, of the reader
 * of sources and of the shadow catalogue, which are described here because no check stands behind them. A test compares
 * this list with the codes in the source.
 */
import { pythonRules } from '../python/python-rules.ts'
import type { Severity } from '../text/diagnostic.ts'
import { checks } from './index.ts'

export interface DiagnosticCode {
  readonly code: string
  /** The usual one; a diagnostic may be milder where it cannot be sure. */
  readonly severity: Severity
  /** One sentence in Markdown. */
  readonly doc: string
}

interface CodeGroup {
  readonly title: string
  readonly codes: readonly DiagnosticCode[]
}

const syntaxCodes = errors({
  'duplicate-key': 'A key is written twice in one mapping.',
  'file-too-large': 'The file has more than 8 million characters.',
  'invalid-tag': 'A template tag that svc does not know, or one where none may stand.',
  'too-many-problems': 'The file has more than 1,000 problems; the others are shown when these are mended.',
  'not-utf8': 'The file holds bytes that are no UTF-8 text.',
  'unclosed-tag': 'A template tag is opened with `{{` and never closed with `}}`.',
  'unquoted-template':
    'A YAML value begins with `{{`, which YAML reads as a mapping: it needs quotes or a block.',
  'yaml-alias': 'A YAML alias (`*name`) without an anchor, or aliases that unfold to far too much.',
  'yaml-depth': 'YAML nested too deeply to be meant.',
  'yaml-merge': 'A YAML merge key (`<<`), which svc does not read.',
  'yaml-syntax': 'The file is not YAML.',
  'yaml-tag': 'A YAML tag (`!name`), which svc does not read.',
})

const schemaCodes = errors({
  'extension-not-loaded':
    'An extension of the engine that `svc.yaml` names is not loaded: its file is missing or does not fit, it is not installed, or the workspace is not trusted.',
  'invalid-duration': 'A duration is not written like `90s`, `30m`, `12h` or `7d`.',
  'invalid-name': 'A name that cannot stand in SQL.',
  'missing-key': 'A required key is missing.',
  'not-built-yet': 'A key or value of the language that this version of svc cannot do yet.',
  'unknown-key': 'A key that is not part of the language.',
  'wrong-type': 'A value of the wrong kind, such as a list where a text is expected.',
  'wrong-value': 'A value that is not allowed, or not written as it has to be.',
})

const sourceCodes: readonly DiagnosticCode[] = [
  ...errors({
    'exclude-inside-json': '`exclude` names something inside a value that is loaded whole, as JSON.',
    'names-meet': 'Two names at the source become one column or child table.',
    'source-format-unknown': 'The ending of `ingest.resource` does not say how the files are written.',
    'wrong-option':
      '`ingest.options` has an option that the reader does not have, or a value that it does not take.',
    'unknown-primary-key': '`ingest.primary_key` names a column that the source does not have.',
  }),
  {
    code: 'unmatched-column',
    severity: 'warning',
    doc: '`include` or `exclude` names something that the source does not have.',
  },
  { code: 'source-file-missing', severity: 'warning', doc: 'No file matches `ingest.resource`.' },
  { code: 'source-file-unreadable', severity: 'warning', doc: 'A source file cannot be read.' },
]

const sqlCodes: readonly DiagnosticCode[] = [
  {
    code: 'sql-duplicate-column',
    severity: 'warning',
    doc: 'Two output columns have the same name.',
  },
  ...errors({
    'sql-ambiguous-column': 'A column without a table in front that several tables have.',
    'sql-bad-literal':
      'A literal that can never be what it must be where it stands, such as a date: the SQL would fail at its first row.',
    'sql-group-by': 'A column is neither grouped nor aggregated.',
    'sql-no-matching-function': 'A function is called with types that it does not take.',
    'sql-not-a-select': '`transform` is something else than one SELECT.',
    'sql-too-expensive':
      'To check SQL, or to run a unit test, takes more time or memory than `limits.sql` in `svc.yaml` allows; it was stopped, and all other files were checked.',
    'sql-too-large': 'SQL of more than 500,000 characters, or more than 1,000 tests with SQL in one asset.',
    'sql-other': 'Any other objection of the SQL engine, in its own words.',
    'sql-syntax': 'The SQL cannot be parsed.',
    'sql-type': 'Types that do not go together.',
    'sql-unknown-column': 'A column that none of the tables has.',
    'sql-unknown-function': 'A function that the SQL engine does not have.',
    'sql-unknown-table': 'A table that neither the project nor the statement defines.',
    'sql-unknown-type': 'A type that the SQL engine does not have.',
    'sql-unnamed-column':
      'A subquery without a name in the select list: its column would be called after tables that are called otherwise in every build.',
    'sql-wrong-arity': 'A function is called with too many or too few arguments.',
  }),
]

const unitCodes = errors({
  'unit-test-broken': 'The SQL of an asset fails on the rows that a unit test gives.',
  'unit-test-failed': 'A unit test expects other rows than those that came.',
  'unit-test-time': 'The SQL asks for the time, and the unit test does not say with `now` what it is.',
  'unit-test-unknown-name': 'A unit test names an input, column, CTE or variable that there is not.',
  'unit-test-value': 'A value of a unit test cannot be what its column is.',
})

const glossaryCodes: readonly DiagnosticCode[] = [
  ...errors({
    'glossary-duplicate': 'Two entries of `glossary.yaml` have the same name or identifier.',
    'glossary-unknown-asset': '`glossary.yaml` names an asset that the project does not have.',
    'glossary-unknown-column': 'A link in `glossary.yaml` names a column that the asset does not deliver.',
    'glossary-unknown-term': 'A link in `glossary.yaml` names a term that is not there.',
  }),
  {
    code: 'policy-without-asset',
    severity: 'warning',
    doc: 'A pattern of a policy fits no asset.',
  },
]

const pythonCodes: readonly DiagnosticCode[] = [
  ...errors({ 'python-syntax': 'The Python cannot be parsed.' }),
  ...Object.entries(pythonRules).map(([code, { severity, doc }]) => ({ code, severity, doc })),
]

function errors(docs: Readonly<Record<string, string>>): readonly DiagnosticCode[] {
  return Object.entries(docs).map(([code, doc]) => ({ code, severity: 'error', doc }))
}

function groups(): readonly CodeGroup[] {
  const ownCodes = checks.map(({ code, severity, doc }) => ({ code, severity, doc }))
  return [
    { title: 'The file', codes: syntaxCodes },
    { title: 'Keys and values', codes: schemaCodes },
    { title: 'The project', codes: ownCodes },
    { title: 'Sources', codes: sourceCodes },
    { title: 'SQL', codes: sqlCodes },
    { title: 'Python', codes: pythonCodes },
    { title: 'Unit tests', codes: unitCodes },
    { title: 'Glossary', codes: glossaryCodes },
  ]
}

/** All codes, sorted; none twice. */
export function diagnosticCodes(): readonly DiagnosticCode[] {
  return groups()
    .flatMap(group => group.codes)
    .sort((a, b) => (a.code < b.code ? -1 : 1))
}

/** `docs/diagnostics.md`. */
export function diagnosticsPage(): string {
  const sections = groups().map(({ title, codes }) => `## ${title}\n\n${codes.map(entry).join('\n')}\n`)
  return [
    '# Diagnostics\n',
    'Every problem that `svc validate`, `svc plan` and the editor can show in a file, by its code. An error keeps the',
    'asset from being built; a warning does not.\n',
    ...sections,
  ].join('\n')
}

function entry({ code, severity, doc }: DiagnosticCode): string {
  return `- \`${code}\`${severity === 'error' ? '' : ` (${severity})`}: ${doc}`
}
