/**
 * The tools of the server, one entry each: what an agent reads of it, what it takes, and the command that it is. None
 * promotes, rolls back, publishes or reads settings: for those there is no entry, whatever an agent asks for.
 */
import { outputSchemas } from '@svc/server/contract'
import type { Serving } from './command-runner.ts'

export interface Tool {
  readonly name: string
  /** A few words for a person. */
  readonly title: string
  /** What a model chooses it by: what it returns, and when it is the right one. */
  readonly description: string
  /** The properties of its input, as JSON Schema. */
  readonly input: Readonly<Record<string, object>>
  readonly required?: readonly string[]
  /** The name of the published schema of what it returns; absent where that is no single object. */
  readonly output?: string
  /** Whether it changes files or the warehouse: it is there only with `--allow-write`. */
  readonly writes?: true
  /** Whether what it changes may be something that was there before. */
  readonly destroys?: true
  /** Whether it reads the warehouse or sources, and so takes the environment of the server. */
  readonly hasEnvironment?: true
  /** Whether the command prints JSON without being asked to. */
  readonly isJson?: true
  words(input: ToolInput): readonly string[]
  /** The text of a file that the command reads; its path follows the words. */
  file?(input: ToolInput): string
}

export type ToolInput = Readonly<Record<string, unknown>>

/** A text that a command cannot take for an option. */
const name = { type: 'string', minLength: 1, maxLength: 300, pattern: '^[^-]' }
const asset = { ...name, description: 'Name of the asset.' }
const selection = {
  ...name,
  description:
    'Which assets: a name, +name (and upstream), name+ (and downstream), tag:x, path:glob, state:modified, stg_*; commas add up. All if left out.',
}
const flag = (description: string) => ({ type: 'boolean', description })
const rows = (most: number) => ({
  type: 'integer',
  minimum: 1,
  maximum: most,
  description: `Rows, at most ${most}.`,
})

/** A model that reads no resources has the whole schema here. */
const { $schema: _, ...patchSchema } = plainSchema('ai-patch')
const patch = {
  ...patchSchema,
  description:
    'Changes of files, each a list of RFC 6902 operations on the YAML of a file: {"op": "replace", "path": "/transform", "value": "SELECT ..."}, {"op": "add", "path": "/tests/-", "value": {"not_null": "id"}}. base_sha256 is the sha256 that get_asset returns; null for a new file, whose one operation adds the whole document at path "".',
}

/** Returns a published schema as plain JSON, without what the library that made it keeps in it. */
export function plainSchema(name: string): Readonly<Record<string, unknown>> {
  return structuredClone(outputSchemas[name] ?? {})
}

/** The words of an option, if the input has it. */
function option(input: ToolInput, key: string, word = key.replaceAll('_', '-')): readonly string[] {
  const value = input[key]
  if (value === undefined || value === false) return []
  return value === true ? [`--${word}`] : [`--${word}=${String(value)}`]
}

function argument(input: ToolInput, key: string): readonly string[] {
  const value = input[key]
  if (value === undefined) return []
  return Array.isArray(value) ? value.map(String) : [String(value)]
}

const looking: readonly Tool[] = [
  {
    name: 'list_assets',
    title: 'List assets',
    description:
      'Assets with file, kind, owner, tags and their direct neighbours. The first thing to call in a project that is not known.',
    output: 'ls',
    input: { select: selection },
    words: input => ['ls', ...argument(input, 'select')],
  },
  {
    name: 'get_asset',
    title: 'Look at an asset',
    description:
      'One asset taken apart: its file as text with the sha256 that a patch needs, its blocks, the type and origin of every column, tests, what it reads and what reads it, and the problems of its file.',
    output: 'inspect',
    input: { asset },
    required: ['asset'],
    hasEnvironment: true,
    words: input => ['inspect', ...argument(input, 'asset')],
  },
  {
    name: 'get_lineage',
    title: 'Follow lineage',
    description: 'All assets upstream or downstream of one, to see what a change would touch.',
    output: 'ls',
    input: { asset, direction: { enum: ['upstream', 'downstream', 'both'], description: 'Default: both.' } },
    required: ['asset'],
    words(input) {
      const direction = input['direction'] ?? 'both'
      const before = direction === 'downstream' ? '' : '+'
      const behind = direction === 'upstream' ? '' : '+'
      return ['ls', `${before}${String(input['asset'])}${behind}`]
    },
  },
  {
    name: 'get_context',
    title: 'Everything about the project or an asset',
    description:
      'Definitions, SQL, columns, lineage, terms and policies in one document, near assets first: the material to understand or change an asset. Holds no rows.',
    output: 'ai-context',
    input: {
      asset: { ...asset, description: 'One asset with all around it; the whole project if left out.' },
      include_tests: flag('Also tests and their last results.'),
      include_history: flag('Also versions and the last runs.'),
      max_bytes: { type: 'integer', minimum: 1000, maximum: 1_000_000, description: 'Size to fit into.' },
    },
    hasEnvironment: true,
    words: input => [
      'ai',
      'context',
      ...['asset', 'include_tests', 'include_history', 'max_bytes'].flatMap(key => option(input, key)),
    ],
  },
  {
    name: 'search_glossary',
    title: 'Search the glossary',
    description: 'Business terms, metrics, dimensions and policies that have all of the words.',
    output: 'glossary-search',
    input: {
      words: { type: 'array', items: name, minItems: 1, maxItems: 20, description: 'Words to find.' },
    },
    required: ['words'],
    words: input => ['glossary', 'search', ...argument(input, 'words')],
  },
  {
    name: 'get_glossary',
    title: 'Read the glossary',
    description: 'The whole glossary: terms with their columns, metrics, dimensions, policies.',
    output: 'glossary-export',
    input: {},
    isJson: true,
    words: () => ['glossary', 'export'],
  },
]

const checking: readonly Tool[] = [
  {
    name: 'validate',
    title: 'Check files',
    description:
      'Every problem of every file with its place, its code and fixes: YAML, references, SQL, columns, types, policies. Needs no warehouse. Call it after each change.',
    output: 'validate',
    input: {
      paths: { type: 'array', items: name, maxItems: 100, description: 'Files or folders; all if left out.' },
    },
    hasEnvironment: true,
    words: input => ['validate', ...argument(input, 'paths')],
  },
  {
    name: 'explain_code',
    title: 'Explain a problem or a key',
    description:
      'What the code of a problem or an error means, with an example and its correction; or what a key of a file may be.',
    output: 'explain',
    input: { code: { ...name, description: 'Such as sql-unknown-column, or a key such as ingest.auth.' } },
    required: ['code'],
    words: input => ['explain', ...argument(input, 'code')],
  },
  {
    name: 'plan',
    title: 'Plan a run',
    description:
      'What a run would build, reuse or remove against what is live, and which readers a change breaks. Changes nothing and asks no source.',
    output: 'plan',
    input: { select: selection },
    hasEnvironment: true,
    words: input => ['plan', ...argument(input, 'select'), '--offline'],
  },
  {
    name: 'run_unit_tests',
    title: 'Run unit tests',
    description: 'Unit tests in memory, with the rows that differ. Needs no warehouse.',
    output: 'test',
    input: { select: selection },
    hasEnvironment: true,
    words: input => ['test', ...argument(input, 'select'), '--unit'],
  },
  {
    name: 'check_patch',
    title: 'Check a patch',
    description:
      'Whether a patch may be applied: its diff, why it is refused, and which checks it would remove or weaken. Writes nothing.',
    output: 'ai-apply',
    input: { patch },
    required: ['patch'],
    words: () => ['ai', 'apply', '--dry-run'],
    file: input => JSON.stringify(input['patch']),
  },
]

const warehouse: readonly Tool[] = [
  {
    name: 'sample',
    title: 'Look at rows',
    description:
      'Up to 20 rows of an asset: of what is live, or with query of its SQL as it now stands. Values of personal columns are ***.',
    output: 'sample',
    input: {
      asset,
      limit: rows(20),
      query: flag("The file's SQL as it now stands, over the live builds of what it reads."),
      cte: { ...name, description: 'As query, the rows of one CTE.' },
    },
    required: ['asset'],
    hasEnvironment: true,
    words: input => [
      'sample',
      ...argument(input, 'asset'),
      `--limit=${String(input['limit'] ?? 10)}`,
      ...option(input, 'query'),
      ...option(input, 'cte'),
    ],
  },
  {
    name: 'status',
    title: 'What is live',
    description: 'The live version of every asset, and whether its file has changed since.',
    output: 'status',
    input: {},
    hasEnvironment: true,
    words: () => ['status'],
  },
  {
    name: 'freshness',
    title: 'Ages of data',
    description: 'The age of each asset against what its file allows.',
    output: 'freshness',
    input: {},
    hasEnvironment: true,
    words: () => ['freshness'],
  },
  {
    name: 'versions',
    title: 'History of an asset',
    description: 'Its versions with the runs that made them.',
    output: 'versions',
    input: { asset },
    required: ['asset'],
    hasEnvironment: true,
    words: input => ['versions', ...argument(input, 'asset')],
  },
  {
    name: 'rejects',
    title: 'Rejected records',
    description: 'Records and values that contracts kept out, each with its reason. Personal values are ***.',
    output: 'rejects',
    input: { asset: { ...asset, description: 'All assets if left out.' }, limit: rows(20) },
    hasEnvironment: true,
    words: input => ['rejects', ...argument(input, 'asset'), `--limit=${String(input['limit'] ?? 10)}`],
  },
  {
    name: 'run_history',
    title: 'Runs until now',
    description:
      'The last 50 runs, previews, promotions and rollbacks from this folder, newest first: when, of what, how each ended, and its first failure. run_log has the events of one.',
    input: {},
    words: () => ['logs', '--list'],
  },
  {
    name: 'run_log',
    title: 'Log of a run',
    description: 'The events of a run, a preview or a promotion: what failed, where and why.',
    input: { run: { ...name, description: 'Id of the run; the last one if left out.' } },
    words: input => ['logs', ...argument(input, 'run')],
  },
]

const applying: Tool = {
  name: 'apply_patch',
  title: 'Apply a patch',
  description:
    'Writes all files of a patch or none. Refused if it is unsafe, or if it removes or weakens a test, a contract, a mask or an exclusion: only a person may agree to that.',
  output: 'ai-apply',
  input: { patch },
  required: ['patch'],
  writes: true,
  destroys: true,
  words: () => ['ai', 'apply'],
  file: input => JSON.stringify(input['patch']),
}

const previewing: Tool = {
  name: 'preview',
  title: 'Build a preview',
  description:
    'Fetches, builds and tests the assets in a schema of their own beside what is live, which stays as it is. A person may promote it later.',
  output: 'preview',
  input: { select: selection },
  required: ['select'],
  writes: true,
  hasEnvironment: true,
  words: input => ['preview', ...argument(input, 'select')],
}

/** The environment of readers may be looked at; nothing is built there for an agent. */
export function canPreview({ allowsWriting, environment }: Allowed): boolean {
  return allowsWriting && environment !== 'prod'
}

type Allowed = Pick<Serving, 'allowsWriting' | 'environment'>

export function toolsOf(allowed: Allowed): readonly Tool[] {
  return [
    ...looking,
    ...checking,
    ...warehouse,
    ...(allowed.allowsWriting ? [applying] : []),
    ...(canPreview(allowed) ? [previewing] : []),
  ]
}
