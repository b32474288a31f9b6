/** The generic tests that a schema file lists for a model, a seed, a source or one of its columns. */

import { CallProblem, JinjaProblem, type Site } from '../jinja/problem.ts'
import { type Arguments, isList, isNumber, isTrue, numberOf, toText, type Value } from '../jinja/values.ts'
import type { Plain, PlainMap } from './asset-draft.ts'
import { Config, setFolderDefaults, tagsOf } from './config.ts'
import { type DbtProject, missingPackage } from './dbt-project.ts'
import { isFilled } from './generic-tests/constraints.ts'
import { genericTest } from './generic-tests/index.ts'
import type { GenericTest, GivenTest } from './generic-tests/test-kind.ts'
import type { Macro } from './macros.ts'
import type { DbtPackage } from './packages.ts'
import { relation } from './references.ts'
import { renderedPart } from './rendered-part.ts'
import { renderedText, Unrolling } from './unroll.ts'
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
  /** What the schema file says of the asset or of the column. */
  readonly part: Part
}

/** Returns the tests of a list under `tests` or `data_tests`; what has no counterpart is noted. */
export function dataTests(subject: TestSubject, part: Part, column: string | undefined): readonly PlainMap[] {
  const lists = ['data_tests', 'tests'].flatMap(key => part.get(key)?.items() ?? [])
  return lists.flatMap(item => {
    try {
      return oneTest(subject, item, column, part)
    } catch (error) {
      if (!(error instanceof CallProblem || error instanceof JinjaProblem)) throw error
      const { notes, files } = subject.project
      const inMacro = error instanceof JinjaProblem && files.has(error.site.template.path)
      notes.lost({
        kind: 'test',
        site: inMacro ? error.site : item.site,
        message: `a test of ${subject.asset}${column === undefined ? '' : `.${column}`}: ${error.message}`,
        hint: error.hint ?? testHint,
        shared: error.shared,
        asset: subject.asset,
      })
      return []
    }
  })
}

const testHint = 'Write it as a test of kind sql or expression: docs/tests.md.'

/** Keys of an entry that are about the test, and no arguments of it. */
const settings = [
  ...'severity where warn_if error_if limit store_failures store_failures_as tags meta enabled'.split(' '),
  ...'fail_calc alias schema database group'.split(' '),
]
/** Those that are read on their own. */
const ownKeys = ['config', 'name', 'description', 'test_name', 'arguments']

function oneTest(
  subject: TestSubject,
  item: Part,
  column: string | undefined,
  part: Part,
): readonly PlainMap[] {
  const written = item.text
  const named = item.get('test_name')?.text
  const entry = written === undefined && named === undefined ? item.entries()[0] : undefined
  const kind = written ?? named ?? entry?.key
  if (kind === undefined) throw new CallProblem('the test has no kind')
  const body = entry?.value ?? (written === undefined ? item : undefined)
  const config = configOf(subject, kind, body)
  if (config.flag('enabled') === false) {
    subject.project.notes.add('left_out', item.site, 'a disabled test')
    item.settle()
    return []
  }
  const args = argumentsOf(subject, body)
  const own = column ?? args.get('column_name')?.text
  const keys = testKeys({ ...subject, kind, args, column: own, part }, config, item.site)
  const options = optionsOf(subject, config)
  const name = body?.get('name')?.text
  const description = body?.get('description')?.text
  const tests = keys.map(({ where, ...each }, index) => ({
    // A test of kind sql has no name of its own.
    name: testName(
      name === undefined ? usualName(kind, each, own) : `${name}${index === 0 ? '' : index + 1}`,
    ),
    description: description && renderedText(subject.project, subject.of, description, item.site),
    ...each,
    ...options,
    ...(where !== undefined && { where }),
  }))
  noteUnusedSettings(subject, config)
  return tests
}

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
    if (settings.includes(key)) config.set(key, { value: rendered(value), site: at })
  }
  config.setAll(body?.get('config'), rendered)
  return config
}

interface Argument {
  readonly value: Value
  readonly text: string | undefined
}

function argumentsOf({ project, of }: TestSubject, body: Part | undefined): ReadonlyMap<string, Argument> {
  const outer = (body?.entries() ?? []).filter(({ key }) => !settings.includes(key) && !ownKeys.includes(key))
  const inner = body?.get('arguments')?.entries() ?? []
  return new Map(
    [...outer, ...inner].map(({ key, value }) => {
      const reference = /^\s*(ref|source)\s*\(.*\)\s*$/.test(value.text ?? '')
      const text = reference ? `{{ ${value.text} }}` : value.text
      const whole = renderedPart(project, of, value)
      const given = reference && text !== undefined ? renderedText(project, of, text, value.site) : whole
      return [key, { value: given, text: value.text }] as const
    }),
  )
}

function testKeys(test: WrittenTest, config: Config, site: Site): readonly PlainMap[] {
  const { own } = test.project.macros
  const isReplaced = own.get(test.project.root.name)?.has(`test_${test.kind}`) === true
  const known = isReplaced ? undefined : genericTest(test.kind)
  if (known === undefined) return [macroTest(test, config, site)]
  try {
    return knownTest(test, known, config.text('where'))
  } catch (error) {
    // What has no counterpart here is what its package says, if that is there.
    const owner = packageOf(test)
    if (!(error instanceof CallProblem) || owner === undefined) throw error
    return [macroTest(test, config, site)]
  }
}

function packageOf({ project, kind }: WrittenTest): DbtPackage | undefined {
  return kind.includes('.') ? project.packages.find(each => each.name === kind.split('.')[0]) : undefined
}

/** Throws for an argument that nothing asked for: a test without it would be another one. */
function knownTest(test: WrittenTest, known: GenericTest, where: string | undefined): readonly PlainMap[] {
  const asked = new Set<string>(['column_name', 'model'])
  const keys = known(givenTest(test, asked, where))
  const unread = [...test.args].filter(([name, { value }]) => !asked.has(name) && value !== null)
  if (unread.length > 0) {
    const names = unread.map(([name]) => `"${name}"`).join(', ')
    throw new CallProblem(`${names} of ${test.kind} has no counterpart`)
  }
  return (Array.isArray(keys) ? keys : [keys as PlainMap]).map(each => withCondition(each, where))
}

/** A query has its conditions in it, and so has an expression with tags, which becomes a query. */
function withCondition({ where: own, ...keys }: PlainMap, where: string | undefined): PlainMap {
  if (keys['sql'] !== undefined) return keys
  const conditions = [where, own].filter(each => typeof each === 'string')
  const { expression, ...rest } = keys
  if (typeof expression === 'string' && [expression, ...conditions].some(each => each.includes('{{')))
    return { ...rest, sql: `select *\nfrom ${testedRows(conditions)}\nwhere not (${expression})` }
  return conditions.length === 0 ? keys : { ...keys, where: bothOf(conditions) }
}

function bothOf(conditions: readonly string[]): string {
  return conditions.length === 1 ? (conditions[0] ?? '') : conditions.map(each => `(${each})`).join(' and ')
}

function testedRows(conditions: readonly string[]): string {
  if (conditions.length === 0) return '{{ this }}'
  return `(select * from {{ this }} where ${bothOf(conditions)}) dbt_subquery`
}

function givenTest(
  { project, kind, args, column, part }: WrittenTest,
  asked: Set<string>,
  where: string | undefined,
): GivenTest {
  const value = (name: string) => {
    asked.add(name)
    return args.get(name)?.value
  }
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
    isFound: (text, pattern, flags = '') => project.dialect.isFound(text, pattern, flags),
    rows: condition => testedRows([where, condition].filter(each => each !== undefined)),
    isFilled: name => isFilled(part, name),
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
  const model = testedRows(where === undefined ? [] : [where])
  const named = new Map<string, Value>([
    ['model', relation({ tag: () => model, asset, schema: project.schema, database: 'warehouse' })],
    ...(column === undefined ? [] : [['column_name', column] as const]),
    ...[...args]
      .filter(([name]) => name !== 'column_name')
      .map(([name, { value }]) => [name, value] as const),
  ])
  const given: Arguments = { positional: [], named }
  const [owner, name = ''] = kind.includes('.') ? kind.split('.') : [undefined, kind]
  const from = owner === undefined ? of : project.packages.find(each => each.name === owner)
  refuseUndeclared(test, project.macros.own.get((from ?? of).name)?.get(`test_${name}`))
  const unrolling = new Unrolling(project, site.template, { of: from ?? of, config, name: asset })
  const unrolled =
    owner !== undefined && from === undefined ? undefined : unrolling.callMacro(`test_${name}`, given)
  if (unrolled !== undefined) return { sql: counted(unrolled.sql, config) }
  if (owner !== undefined && from === undefined) throw missingPackage(project, owner)
  throw new CallProblem(`the test ${kind} is not known here`, testHint)
}

/** dbt refuses an argument that the macro of a test does not have. */
function refuseUndeclared({ args, kind }: WrittenTest, macro: Macro | undefined): void {
  if (macro === undefined) return
  const declared = new Set([...macro.parameters.map(({ name }) => name), 'model', 'column_name'])
  const undeclared = [...args.keys()].find(name => !declared.has(name))
  const takesAll = /\b(kwargs|varargs)\b/.test(macro.template.text)
  if (undeclared !== undefined && !takesAll)
    throw new CallProblem(`the test ${kind} has no argument "${undeclared}"`)
}

/** A test may work out from its rows how many failed; none of them is a failure where that is nothing. */
function counted(sql: string, config: Config): string {
  const calculation = config.text('fail_calc')
  if (calculation === undefined || isCount(calculation)) return sql
  return `select *\nfrom (select ${calculation} as failures from (\n${sql}\n) as dbt_internal_test) as counted\nwhere failures <> 0`
}

const isCount = (calculation: string) => calculation.replaceAll(' ', '').toLowerCase() === 'count(*)'

/** What is set for a test and nothing here asks for. */
export function noteUnusedSettings({ project: { notes } }: TestSubject, config: Config): void {
  for (const { key, site } of config.unread()) notes.add('left_out', site, `"${key}" of tests`)
}

/** Severity and thresholds; what only dbt's own bookkeeping uses is noted. */
export function optionsOf({ project: { notes }, asset }: TestSubject, config: Config): PlainMap {
  const isWarning = config.text('severity')?.toLowerCase() === 'warn'
  const [warnIf, errorIf] = [threshold(config.text('warn_if')), threshold(config.text('error_if'))]
  const calculated = config.get('fail_calc')
  const hasThreshold = config.get('warn_if') !== undefined || config.get('error_if') !== undefined
  if (calculated !== undefined && !isCount(toText(calculated.value)) && hasThreshold) {
    const what = `a test of ${asset} counts its rows, not ${toText(calculated.value)}`
    const hint = 'Write the calculation and its bounds into a test of kind sql.'
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
