/** The names that dbt's templates know: what they mean here, and which of them only a warehouse could answer. */
import { createHash } from 'node:crypto'
import { parse, stringify } from 'yaml'
import { bound, one, textArgument } from '../jinja/arguments.ts'
import { limitedList } from '../jinja/budget.ts'
import { jsonText } from '../jinja/filters.ts'
import { itemsOf } from '../jinja/iterate.ts'
import { addNew } from '../jinja/methods.ts'
import { CallProblem } from '../jinja/problem.ts'
import { Returned } from '../jinja/render.ts'
import {
  type Arguments,
  Dict,
  fn,
  fromData,
  JinjaObject,
  numberOf,
  toData,
  toText,
  tupleOf,
  type Value,
} from '../jinja/values.ts'
import type { DbtProject } from './dbt-project.ts'

const nothing = (name: string) => fn(name, () => '')

function range({ positional }: Arguments): Value {
  const [first = 0, second, third] = positional.map(numberOf)
  const [start, end, step] = second === undefined ? [0, first, 1] : [first, second, third ?? 1]
  if (step === 0) throw new CallProblem('range takes no steps of 0')
  const count = Math.max(0, Math.ceil((end - start) / step))
  if (count > 100_000) throw new CallProblem(`range(${count}) is too long`)
  return Array.from({ length: count }, (_, index) => start + index * step)
}

function distinct(given: Arguments): Value {
  const items = given.positional.length === 0 ? [] : itemsOf(one(given, 'set'))
  return limitedList(addNew([], items))
}

function zipped({ positional }: Arguments): Value {
  const lists = positional.map(itemsOf)
  const length = Math.min(...lists.map(list => list.length))
  return lists.length === 0
    ? []
    : Array.from({ length }, (_, index) => tupleOf(lists.map(list => list[index] ?? null)))
}

function parsedJson(given: Arguments): Value {
  const [text, usual] = bound(given, ['string', 'default'], 'fromjson')
  try {
    return fromData(JSON.parse(textArgument(text, 'fromjson')))
  } catch (error) {
    if (error instanceof CallProblem) throw error
    return usual ?? null
  }
}

/** Joins all but the first: the first call gives nothing. */
function joiner(given: Arguments): Value {
  const [separator] = bound(given, ['sep'], 'joiner')
  let isFirst = true
  return fn('joiner', () => {
    const text = isFirst ? '' : toText(separator ?? ', ')
    isFirst = false
    return text
  })
}

/** Gives one value after the other, and begins anew. */
function cycler({ positional }: Arguments): Value {
  let at = 0
  const current = () => positional[at % Math.max(1, positional.length)] ?? null
  const next = fn('cycler.next', () => {
    const value = current()
    at++
    return value
  })
  const reset = fn('cycler.reset', () => {
    at = 0
    return ''
  })
  return new JinjaObject({
    name: 'cycler',
    member: name =>
      name === 'next' ? next : name === 'reset' ? reset : name === 'current' ? current() : undefined,
  })
}

function parsedYaml(given: Arguments): Value {
  const [text, usual] = bound(given, ['value', 'default'], 'fromyaml')
  try {
    return fromData(parse(textArgument(text, 'fromyaml'), { version: '1.1', mapAsMap: true }))
  } catch (error) {
    if (error instanceof CallProblem) throw error
    return usual ?? null
  }
}

/** A name of letters, digits and _, as dbt_utils makes one of a text. */
export const slugify = fn('dbt_utils.slugify', given =>
  toText(one(given, 'slugify'))
    .toLowerCase()
    .replace(/[ -]+/g, '_')
    .replace(/[^a-z0-9_]+/g, '')
    .replace(/^(\d)/, '_$1'),
)

/** Without a full refresh, as a run is usually started; all else of a run is not known here. */
const flags = new JinjaObject({
  name: 'flags',
  member: name => {
    if (name === 'WHICH') return 'run'
    return ['FULL_REFRESH', 'EMPTY', 'STORE_FAILURES'].includes(name) ? false : undefined
  },
})

const mapping = ({ positional: [first], named }: Arguments): Dict =>
  new Dict([...(first instanceof Dict ? first.entries : []), ...named])

/** `raise_compiler_error` is the project's own refusal. */
const exceptions = new JinjaObject({
  name: 'exceptions',
  member: name => {
    if (name === 'warn') return nothing(name)
    return name.startsWith('raise')
      ? fn(name, ({ positional }) => {
          throw new CallProblem(`the project says: ${toText(positional[0] ?? '')}`)
        })
      : undefined
  },
})

const columnTypes: Readonly<Record<string, string>> = {
  string: 'TEXT',
  integer: 'INT',
  float: 'FLOAT',
  timestamp: 'TIMESTAMP',
}
const column = new JinjaObject({
  name: 'api.Column',
  member: name => {
    if (name === 'translate_type') {
      return fn(name, given => {
        const type = toText(one(given, name)).toLowerCase()
        return Object.hasOwn(columnTypes, type) ? (columnTypes[type] ?? type) : type
      })
    }
    if (name === 'string_type') return fn(name, () => 'varchar')
    if (name !== 'numeric_type') return undefined
    return fn(
      name,
      ({ positional: [type, ...sizes] }) => `${toText(type ?? 'numeric')}(${sizes.map(toText).join(',')})`,
    )
  },
})
const api = new JinjaObject({
  name: 'api',
  member: name => (name === 'Column' ? column : asking(`api.${name}`)),
})

/** What dbt asks the warehouse, or knows only while it runs. */
const askingNames: Readonly<Record<string, string>> = {
  run_query: 'a query while templates are unrolled',
  statement: 'a statement while templates are unrolled',
  load_result: 'the result of a query',
  store_result: 'the result of a query',
  graph: "dbt's graph of the project",
  invocation_id: 'the identifier of a run of dbt',
  invocation_args_dict: 'what a run of dbt was called with',
  dbt_metadata_envs: 'what a run of dbt was called with',
  'modules.re': 'a module of Python',
  'modules.itertools': 'a module of Python',
  selected_resources: 'what a run of dbt selects',
  load_agate_table: 'the rows of a seed',
}

export function asking(name: string): JinjaObject {
  const what = Object.hasOwn(askingNames, name) ? askingNames[name] : 'an answer of the warehouse'
  const refuse = (): never => {
    throw new CallProblem(`${name} is ${what}, which svc does not have while it imports`, askingHint)
  }
  return new JinjaObject({ name, text: refuse, call: refuse, member: refuse })
}

const askingHint = 'Write out what it gives, and import again.'

const fixed = new Map<string, Value>([
  [
    'return',
    fn('return', given => {
      throw new Returned(one(given, 'return'))
    }),
  ],
  ['log', nothing('log')],
  ['print', nothing('print')],
  ['debug', nothing('debug')],
  ['range', fn('range', range)],
  ['dict', fn('dict', mapping)],
  ['namespace', fn('namespace', mapping)],
  ['set', fn('set', distinct)],
  ['set_strict', fn('set_strict', distinct)],
  ['zip', fn('zip', zipped)],
  ['zip_strict', fn('zip_strict', zipped)],
  ['joiner', fn('joiner', joiner)],
  ['cycler', fn('cycler', cycler)],
  ['flags', flags],
  ['toyaml', fn('toyaml', ({ positional: [value] }) => stringify(toData(value ?? null)))],
  ['fromyaml', fn('fromyaml', parsedYaml)],
  ['tojson', fn('tojson', ({ positional: [value] }) => jsonText(value ?? null))],
  ['fromjson', fn('fromjson', parsedJson)],
  [
    'local_md5',
    fn('local_md5', given =>
      createHash('md5')
        .update(toText(one(given, 'local_md5')))
        .digest('hex'),
    ),
  ],
  ['exceptions', exceptions],
  ['api', api],
  ['execute', true],
  ['dbt_version', '1.10.0'],
  ['is_incremental', fn('is_incremental', () => false)],
  ['should_full_refresh', fn('should_full_refresh', () => true)],
  ...Object.keys(askingNames).map(name => [name, asking(name)] as const),
])

/** Returns what a name means in every template. */
export function fixedName(name: string): Value | undefined {
  return fixed.get(name)
}

/** `target`: the type is that of the new project, whatever the profile says, because that is what the SQL is unrolled for. */
export function targetOf({ profile, root, schema, dialect }: DbtProject): JinjaObject {
  const members = new Map<string, Value>([
    ['name', profile.target],
    ['target_name', profile.target],
    ['type', dialect.adapter],
    ['schema', profile.schema ?? schema],
    ['dataset', profile.schema ?? schema],
    ['database', profile.database ?? 'warehouse'],
    ['dbname', profile.database ?? 'warehouse'],
    ['profile_name', root.settings.get('profile')?.text ?? root.name],
    ['threads', profile.threads],
  ])
  return new JinjaObject({
    name: 'target',
    member: name =>
      name === 'get'
        ? fn('target.get', given => {
            const [key, usual] = bound(given, ['key', 'default'], 'target.get')
            return members.get(toText(key ?? '')) ?? usual ?? null
          })
        : members.get(name),
  })
}

/** dbt itself keeps the first kind out of models. */
const secretName = /^DBT_ENV_SECRET|passw|secret|token|credential|(?:api|access|private)_?key/i

/**
 * Returns the default of `env_var`, or the value that the variable has where the import runs, as dbt reads it. The default leads,
 * so that the files of a project are the same for everybody; a secret is written into no file.
 */
export function envVar(
  given: Arguments,
  { env }: DbtProject,
): { readonly value: Value; readonly read?: string } {
  const [first, usual] = bound(given, ['name', 'default'], 'env_var')
  if (usual !== undefined) return { value: usual }
  const name = textArgument(first, 'env_var')
  if (secretName.test(name)) {
    throw new CallProblem(
      `env_var("${name}") has no default, and a secret is written into no file`,
      'Take it out of the template: a source reads its secret from env:NAME.',
    )
  }
  const value = env[name]
  if (value !== undefined) return { value, read: name }
  throw new CallProblem(
    `env_var("${name}") has no default, and the variable is not set here`,
    `Set ${name} for the import, as for dbt, or give it a default: env_var("${name}", "value").`,
  )
}
