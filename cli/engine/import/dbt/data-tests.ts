/** The generic tests that a schema file lists for a model, a seed, a source or one of its columns. */

import { CallProblem, JinjaProblem, type Site } from '../jinja/problem.ts'
import {
  type Arguments,
  fromData,
  isList,
  isNumber,
  isTrue,
  numberOf,
  toText,
  type Value,
} from '../jinja/values.ts'
import type { Plain, PlainMap } from './asset-draft.ts'
import { Config, setFolderDefaults, tagsOf } from './config.ts'
import type { DbtProject } from './dbt-project.ts'
import { genericTest } from './generic-tests/index.ts'
import type { GivenTest } from './generic-tests/test-kind.ts'
import type { DbtPackage } from './packages.ts'
import { relation } from './references.ts'
import { renderedPart, renderedText, Unrolling } from './unroll.ts'
import type { Part } from './yaml-part.ts'

export interface TestSubject {
  readonly project: DbtProject
  readonly of: DbtPackage
  readonly asset: string
  /** As `setFolderDefaults` takes them. */
  readonly folders: readonly string[]
}

/** A test as it is written, of the whole asset or of a column. */
interface WrittenTest extends TestSubject {
  readonly kind: string
  readonly args: ReadonlyMap<string, Argument>
  readonly column: string | undefined
}

/** Returns the tests of a list under `tests` or `data_tests`; what has no counterpart is noted. */
export function dataTests(subject: TestSubject, part: Part, column: string | undefined): readonly PlainMap[] {
  const lists = ['data_tests', 'tests'].flatMap(key => part.get(key)?.items() ?? [])
  return lists.flatMap(item => {
    try {
      return oneTest(subject, item, column)
    } catch (error) {
      const { notes } = subject.project
      const what = `a test of ${subject.asset}${column === undefined ? '' : `.${column}`}`
      if (error instanceof CallProblem) {
        notes.add('todo', item.site, `${what}: ${error.message}`, {
          hint: error.hint ?? testHint,
          asset: subject.asset,
        })
      } else if (error instanceof JinjaProblem) notes.problem(error, what, testHint, subject.asset)
      else throw error
      return []
    }
  })
}

const testHint = 'Write it as a test of kind sql or expression: docs/tests.md.'

/** Keys of an entry that are about the test, and no arguments of it. */
const settings = [
  ...'config name description severity where warn_if error_if limit store_failures'.split(' '),
  ...'store_failures_as tags meta enabled fail_calc test_name arguments data_type column_name'.split(' '),
]

function oneTest(subject: TestSubject, item: Part, column: string | undefined): readonly PlainMap[] {
  const written = item.text
  const named = item.get('test_name')?.text
  const entry = written === undefined && named === undefined ? item.entries()[0] : undefined
  const kind = written ?? named ?? entry?.key
  if (kind === undefined) throw new CallProblem('the test has no kind')
  const body = entry?.value ?? (written === undefined ? item : undefined)
  const config = configOf(subject, kind, body)
  if (config.flag('enabled') === false) return []
  const args = argumentsOf(subject, body)
  const own = column ?? args.get('column_name')?.text
  const keys = testKeys({ ...subject, kind, args, column: own }, config, item.site)
  const options = optionsOf(subject, config)
  const name = body?.get('name')?.text
  const description = body?.get('description')?.text
  return keys.map((each, index) => ({
    // A test of kind sql has no name of its own.
    name: testName(
      name === undefined ? usualName(kind, each, own) : `${name}${index === 0 ? '' : index + 1}`,
    ),
    description: description && renderedText(subject.project, subject.of, description, item.site),
    ...each,
    ...options,
    ...(config.get('where') === undefined || isMacroTest(kind) ? {} : { where: config.text('where') }),
  }))
}

const isMacroTest = (kind: string) => genericTest(kind) === undefined

function usualName(kind: string, keys: PlainMap, column: string | undefined): string | undefined {
  if (keys['sql'] === undefined) return undefined
  return column === undefined ? kind : `${kind}_${column}`
}

function testName(name: string | undefined): string | undefined {
  return name?.replace(/\W+/g, '_')
}

function configOf({ project, of, folders }: TestSubject, kind: string, body: Part | undefined): Config {
  const config = new Config()
  const rendered = (part: Part) => renderedPart(project, of, part)
  for (const section of ['tests', 'data_tests']) {
    setFolderDefaults(config, section, of, [...folders, kind], project.root, rendered)
  }
  for (const { key, at, value } of body?.entries() ?? []) {
    if (settings.includes(key) && key !== 'config' && key !== 'arguments')
      config.set(key, { value: rendered(value), site: at })
  }
  config.setAll(body?.get('config'), rendered)
  return config
}

interface Argument {
  readonly value: Value
  readonly text: string | undefined
}

function argumentsOf({ project, of }: TestSubject, body: Part | undefined): ReadonlyMap<string, Argument> {
  const outer = (body?.entries() ?? []).filter(({ key }) => !settings.includes(key) || key === 'column_name')
  const inner = body?.get('arguments')?.entries() ?? []
  return new Map(
    [...outer, ...inner].map(({ key, value }) => {
      const reference = /^\s*(ref|source)\s*\(.*\)\s*$/.test(value.text ?? '')
      const text = reference ? `{{ ${value.text} }}` : value.text
      const whole = text === undefined ? fromData(value.data()) : renderedPart(project, of, value)
      const given = reference && text !== undefined ? renderedText(project, of, text, value.site) : whole
      return [key, { value: given, text: value.text }] as const
    }),
  )
}

function testKeys(test: WrittenTest, config: Config, site: Site): readonly PlainMap[] {
  const known = genericTest(test.kind)
  if (known !== undefined) {
    const keys = known(givenTest(test))
    return (Array.isArray(keys) ? keys : [keys as PlainMap]).map(withoutTags)
  }
  return [macroTest(test, config, site)]
}

/** An expression has no tags; a query has. */
function withoutTags(keys: PlainMap): PlainMap {
  const { expression, ...rest } = keys
  if (typeof expression !== 'string' || !expression.includes('{{')) return keys
  return { ...rest, sql: `select *\nfrom {{ this }}\nwhere not (${expression})` }
}

function givenTest({ project, kind, args, column }: WrittenTest): GivenTest {
  const value = (name: string) => args.get(name)?.value
  const text = (name: string) => {
    const given = value(name)
    return given === undefined || given === null ? undefined : toText(given)
  }
  const needed = (name: string) => {
    const given = text(name)
    if (given === undefined) throw new CallProblem(`${kind} needs "${name}"`)
    return given
  }
  return {
    column,
    ownColumn() {
      if (column === undefined) throw new CallProblem(`${kind} belongs to a column`)
      return column
    },
    sqlName: each => project.engine.quoteIfNeeded(each),
    value,
    text,
    needed,
    texts(name) {
      const given = value(name)
      if (given === undefined || given === null) return []
      return isList(given) ? given.map(toText) : [toText(given)]
    },
    number(name) {
      const given = value(name)
      if (given === undefined || given === null) return undefined
      const number = isNumber(given) ? numberOf(given) : Number(toText(given))
      if (Number.isNaN(number)) throw new CallProblem(`${kind} takes a number for "${name}"`)
      return number
    },
    flag: name => {
      const given = value(name)
      return given === undefined || given === null ? undefined : isTrue(given)
    },
    isFound: (text, pattern) => project.dialect.isFound(text, pattern),
    allBut(columns) {
      const { excluded } = project.dialect
      if (excluded !== undefined) return excluded(columns.map(each => project.engine.quoteIfNeeded(each)))
      throw new CallProblem(
        `${kind} with exclude_columns lists columns that only a warehouse knows`,
        'Name those that are compared: compare_columns.',
      )
    },
    asset(name) {
      const found = /\{\{ ref\('(\w+)'\) \}\}/.exec(needed(name))?.[1]
      if (found === undefined)
        throw new CallProblem(`"${name}" of ${kind} names no model`, "Write ref('…') or source('…').")
      return found
    },
  }
}

/** A test of the project's own: its macro is unrolled with the asset as its model. */
function macroTest(test: WrittenTest, config: Config, site: Site): PlainMap {
  const { project, of, asset, kind, args, column } = test
  const where = config.text('where')
  const model = where === undefined ? '{{ this }}' : `(select * from {{ this }} where ${where}) dbt_subquery`
  const named = new Map<string, Value>([
    ['model', relation(model, asset)],
    ...(column === undefined ? [] : [['column_name', column] as const]),
    ...[...args]
      .filter(([name]) => name !== 'column_name')
      .map(([name, { value }]) => [name, value] as const),
  ])
  const given: Arguments = { positional: [], named }
  const [owner, name = ''] = kind.includes('.') ? kind.split('.') : [undefined, kind]
  const from = owner === undefined ? of : project.packages.find(each => each.name === owner)
  const unrolling = new Unrolling(project, site.template, { of: from ?? of, name: asset })
  const unrolled =
    owner !== undefined && from === undefined ? undefined : unrolling.callMacro(`test_${name}`, given)
  if (unrolled !== undefined) return { sql: unrolled.sql }
  const hint =
    owner === undefined
      ? undefined
      : `Run "dbt deps" in the dbt project first: tests of installed packages are unrolled.`
  throw new CallProblem(`the test ${kind} is not known here`, hint ?? testHint)
}

/** Severity and thresholds; what only dbt's own bookkeeping uses is noted. */
export function optionsOf({ project: { notes }, asset }: TestSubject, config: Config): PlainMap {
  const isWarning = config.text('severity')?.toLowerCase() === 'warn'
  const [warnIf, errorIf] = [threshold(config.text('warn_if')), threshold(config.text('error_if'))]
  const calculated = config.get('fail_calc')
  if (calculated !== undefined && toText(calculated.value).replaceAll(' ', '') !== 'count(*)') {
    const what = `a test of ${asset} counts its rows, not ${toText(calculated.value)}`
    const hint = 'Write the calculation into a test of kind sql.'
    notes.add('changed', calculated.site, what, { hint, asset })
  }
  for (const key of ['limit', 'store_failures', 'store_failures_as', 'meta']) {
    const setting = config.get(key)
    if (setting === undefined || setting.value === null || setting.value === false) continue
    notes.add('left_out', setting.site, `"${key}" of tests`, {
      hint:
        key === 'meta'
          ? undefined
          : 'svc keeps the tables of a failed run and shows the first rows that failed.',
    })
  }
  const tags = config.get('tags')
  const options: Record<string, Plain | undefined> = {
    severity: isWarning ? 'warn' : undefined,
    tags: tags === undefined ? undefined : tagsOf(tags.value).map(toText),
  }
  if (isWarning) return { ...options, warn_if: warnIf }
  if (errorIf === undefined) return options
  // dbt warns of any failure that is no error.
  return { ...options, warn_if: warnIf ?? '> 0', error_if: errorIf }
}

function threshold(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const plain = text.trim()
  if (/^(!=|<>)\s*0$/.test(plain)) return undefined
  return plain
}
