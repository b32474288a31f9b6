/**
 * The commands and options of the contract (interface.md 4.4), each with the lines that show them. A line is run for real
 * in the example, in this order. Who adds a command adds its row to `contract` and its lines to `lines`.
 */

export interface ContractCommand {
  readonly command: string
  /** Its arguments (`<name>`) and options (`--env`). */
  readonly parts: readonly string[]
}

export interface ContractLine {
  readonly words: string
  /** The arguments of the contract that the words have; options are found in the words. */
  readonly has?: readonly string[]
  readonly code?: number
  /** What stdout, or stderr, must say. */
  readonly says: RegExp
  /** What the language model answers. */
  readonly answer?: object
  /** What comes through stdin. */
  readonly input?: string
  /** It serves until it is interrupted. */
  readonly serves?: true
}

export const contract: readonly ContractCommand[] = [
  { command: 'init', parts: [] },
  { command: 'create asset', parts: ['<name>'] },
  {
    command: 'discover',
    parts: ['<url>', 'table:<name>', '--name', '--output', '-o', '--write', '--no-write'],
  },
  { command: 'sample', parts: ['<asset>', '--limit', '--size', '--env', '--source'] },
  { command: 'doctor', parts: [] },
  { command: 'validate', parts: [] },
  { command: 'plan', parts: ['--env'] },
  {
    command: 'run',
    parts: ['<selector>', '+<selector>', '<selector>+', '--env', '--debug', '--dry-run', '--all'],
  },
  { command: 'rollback', parts: ['<names>', '--env', '--all'] },
  { command: 'lineage', parts: ['--debug'] },
  { command: 'ui', parts: ['--port'] },
  { command: 'versions', parts: ['<asset>'] },
  { command: 'status', parts: ['--format'] },
  { command: 'fmt', parts: ['<path>'] },
  { command: 'preview', parts: ['<selector>', '--env', '--debug', '--dry-run', '--all'] },
  { command: 'publish', parts: ['<asset>', '--to'] },
  { command: 'freshness', parts: [] },
  { command: 'inspect', parts: ['<path>', '--json'] },
  { command: 'manifest', parts: ['--json', '--update'] },
  { command: 'ai context', parts: ['--asset', '--json', '--include-tests', '--include-history'] },
  { command: 'ai explain', parts: ['<path>', '--json'] },
  { command: 'ai review', parts: ['<path>', '--json'] },
  { command: 'ai new', parts: ['--name', '--apply', '--path'] },
  { command: 'ai fix', parts: ['<path>', '--apply', '--json', '--error'] },
  { command: 'ai tests', parts: ['<path>', '--apply', '--json'] },
  { command: 'ai apply', parts: ['<patch>', '--dry-run'] },
  { command: 'glossary add-term', parts: ['<name>', '--description', '--id', '--json'] },
  { command: 'glossary link-term', parts: ['<term>', '--asset', '--column', '--role', '--json'] },
  { command: 'glossary list', parts: ['--json'] },
  { command: 'glossary export', parts: ['--path'] },
  { command: 'config ai', parts: ['--provider', '--model', '--api-key', '--endpoint'] },
  { command: 'asset run', parts: ['<selector>'] },
  { command: 'asset rollback', parts: ['<names>'] },
  { command: 'asset status', parts: ['--format'] },
  { command: 'asset sample', parts: ['<asset>'] },
  { command: 'asset versions', parts: ['<asset>'] },
]

const explanation = {
  ingested: 'Five rows that are in the file.',
  transformation: 'None but a choice of columns.',
  output: 'One row a band.',
  dependencies: 'None.',
  purpose: 'Names for delays in reports.',
}
const review = {
  performance: [],
  data_quality: [],
  glossary: [],
  practice: [],
  improvements: ['Say who keeps the bands.'],
}
const clearer = {
  summary: 'Says it more clearly.',
  ops: [{ op: 'replace', path: '/description', value: 'Reports group delays by these bands.' }],
}
const moreTests = {
  summary: 'Each band has a place.',
  ops: [{ op: 'add', path: '/tests/-', value: { not_null: 'position' } }],
}

export const lines: readonly ContractLine[] = [
  { words: 'init', says: /state tables|nothing to do/i },
  { words: 'create asset notes', has: ['<name>'], says: /models\/notes\.svc/ },
  { words: 'discover QUAKES --name quakes --no-write', has: ['<url>'], says: /name: quakes/ },
  { words: 'discover QUAKES --name quakes_a --output models/quakes_a.svc', says: /quakes_a\.svc/ },
  { words: 'discover QUAKES --name quakes_b -o models/quakes_b.svc --write', says: /quakes_b\.svc/ },
  { words: 'discover duckdb:./other.duckdb table:things', has: ['table:<name>'], says: /things\.svc/ },
  { words: 'doctor', says: /OK/ },
  { words: 'validate', says: /PASS/ },
  { words: 'plan --env prod', says: /flights/ },
  { words: 'run delay_bands --dry-run', has: ['<selector>'], says: /delay_bands/ },
  { words: 'run --all', says: /deployed|promoted/i },
  { words: 'run --all --env prod', says: /deployed|promoted/i },
  { words: 'run +daily_delays --debug --env prod', has: ['+<selector>'], says: /SELECT/ },
  { words: 'run delay_bands+ --env prod', has: ['<selector>+'], says: /delay_bands/ },
  { words: 'sample delay_bands --env prod --limit 2', has: ['<asset>'], says: /early/ },
  { words: 'sample delay_bands --env prod --size 3', says: /svc_samples/ },
  { words: 'sample delay_bands --env prod --source raw', says: /early/ },
  { words: 'sample delay_bands --env prod --source model', says: /early/ },
  { words: 'sample delay_bands --env prod --source view', says: /early/ },
  { words: 'preview delay_bands --env prod --debug', has: ['<selector>'], says: /delay_bands/ },
  { words: 'preview --all --env prod --dry-run', says: /Plan for prod/ },
  { words: 'versions delay_bands', has: ['<asset>'], says: /Hash +Deployed At +Status/ },
  { words: 'status', says: /delay_bands/ },
  { words: 'status --format table', says: /delay_bands/ },
  { words: 'status --format json', says: /"active_hash"/ },
  { words: 'freshness', says: /OK|WARN|ERROR/ },
  { words: 'inspect models/sources/delay_bands.svc', has: ['<path>'], says: /delay_bands/ },
  { words: 'inspect models/sources/delay_bands.svc --json', says: /"blocks"/ },
  { words: 'manifest', says: /manifest\.json/ },
  { words: 'manifest --update --json', says: /"assets"/ },
  { words: 'ai context', says: /delay_bands/ },
  { words: 'ai context --asset delay_bands --json --include-tests --include-history', says: /"partial"/ },
  {
    words: 'glossary add-term Delay --description Minutes --id term.late --json',
    has: ['<name>'],
    says: /term\.late/,
  },
  {
    words: 'glossary link-term term.late --asset delay_bands --column band --role attribute --json',
    has: ['<term>'],
    says: /delay_bands/,
  },
  { words: 'glossary list', says: /term/ },
  { words: 'glossary list --json', says: /"terms"/ },
  { words: 'glossary export', says: /term\.late/ },
  { words: 'glossary export --path glossary.json', says: /glossary\.json/ },
  { words: 'policy report', says: /personal data/i },
  { words: 'publish delay_bands --to there --env prod', has: ['<asset>'], says: /there/ },
  { words: 'fmt models/sources', has: ['<path>'], says: /unchanged|formatted/ },
  { words: 'run --all --env nightly', says: /deployed|promoted/i },
  { words: 'run --all --env nightly --full-refresh', says: /deployed|promoted/i },
  { words: 'rollback delay_bands --env nightly', has: ['<names>'], says: /Rolled back nightly/ },
  { words: 'rollback --all --env nightly', says: /Rolled back nightly/ },
  { words: 'lineage --debug', serves: true, says: /http:\/\/127\.0\.0\.1/ },
  { words: 'ui --port 0', serves: true, says: /http:\/\/127\.0\.0\.1/ },
  // Rule 1: --all stands alone.
  { words: 'run --all delay_bands', code: 2, says: /--all cannot be combined/ },
  { words: 'preview --all delay_bands', code: 2, says: /--all cannot be combined/ },
  { words: 'rollback --all delay_bands', code: 2, says: /--all cannot be combined/ },
  { words: 'asset run delay_bands', has: ['<selector>'], says: /delay_bands/ },
  { words: 'asset rollback delay_bands --env nightly', has: ['<names>'], says: /Rolled back nightly/ },
  { words: 'asset status --format json', says: /"active_hash"/ },
  { words: 'asset sample delay_bands', has: ['<asset>'], says: /early/ },
  { words: 'asset versions delay_bands', has: ['<asset>'], says: /Hash +Deployed At +Status/ },
  {
    words: 'config ai --provider openai --model test-model --api-key env:MODEL_KEY --endpoint MODEL',
    says: /test-model/,
  },
  {
    words: 'ai explain models/sources/delay_bands.svc',
    has: ['<path>'],
    answer: explanation,
    says: /Names for delays/,
  },
  { words: 'ai explain delay_bands --json', answer: explanation, says: /"purpose": ?"Names for delays/ },
  {
    words: 'ai review models/sources/delay_bands.svc',
    has: ['<path>'],
    answer: review,
    says: /Say who keeps the bands/,
  },
  { words: 'ai review delay_bands --json', answer: review, says: /Say who keeps the bands/ },
  {
    words: 'ai new --name long_delays --path models/marts/long_delays.svc --apply --yes',
    input: 'The bands of delays of an hour or more',
    answer: {
      summary: 'The long delays.',
      asset: {
        name: 'long_delays',
        ingest: 'none',
        transform: "SELECT band, from_minutes FROM {{ ref('delay_bands') }} WHERE from_minutes >= 60",
        tests: [{ unique: 'band' }],
      },
    },
    says: /models\/marts\/long_delays\.svc/,
  },
  {
    words: 'ai fix models/sources/delay_bands.svc --error unclear --json',
    has: ['<path>'],
    answer: clearer,
    says: /"base_sha256"/,
  },
  {
    words: 'ai fix delay_bands --error unclear --apply --yes',
    answer: clearer,
    says: /Reports group delays/,
  },
  {
    words: 'ai tests models/sources/delay_bands.svc --json',
    has: ['<path>'],
    answer: moreTests,
    says: /"not_null"/,
  },
  { words: 'ai tests delay_bands --apply --yes', answer: moreTests, says: /not_null: position/ },
  { words: 'ai apply patch.json --dry-run', has: ['<patch>'], says: /Air traffic/ },
  { words: 'ai apply patch.json --yes', has: ['<patch>'], says: /models\/marts\/airport_traffic\.svc/ },
]
