/** `dbt_utils.star` lists the columns of a table; where they are not known, a plain star has all of them. */
import { bound } from '../jinja/arguments.ts'
import { itemsOf } from '../jinja/iterate.ts'
import { CallProblem, type Site } from '../jinja/problem.ts'
import { Dict, fn, isTrue, type JinjaObject, toText, type Value } from '../jinja/values.ts'
import type { DbtProject } from './dbt-project.ts'
import { columnsIfKnown, type KnownColumn, useColumns } from './relation-columns.ts'

const parameters = ['from', 'relation_alias', 'except', 'prefix', 'suffix', 'quote_identifiers', 'rename']

/** `changed` is told what may differ. */
export function star(
  project: DbtProject,
  changed: (message: string, hint: string, site: Site) => void,
): JinjaObject {
  return fn('dbt_utils.star', (given, site) => {
    const [from, ...options] = bound(given, parameters, 'dbt_utils.star')
    const columns = columnsIfKnown(project, from)
    // A schema file that names columns need not name them all, which a plain star has.
    const isCertain = columns?.every(({ type }) => type !== undefined) === true
    if (columns !== undefined && (isCertain || plainProblem(project, options) !== undefined)) {
      useColumns(project, from)
      return listed(project, columns, options)
    }
    const hint = 'In a join write the alias of the table before it: orders.*'
    const all = plainStar(project, options)
    const [alias] = options
    if (!isGiven(alias))
      changed('dbt_utils.star became *, which in a join has the columns of all tables', hint, site)
    return all
  })
}

const isGiven = (value: Value | undefined) => value !== undefined && isTrue(value)

type Options = readonly (Value | undefined)[]

function listed(
  { engine }: DbtProject,
  columns: readonly KnownColumn[],
  [alias, except, prefix, suffix, quote, rename]: Options,
): string {
  const without = isGiven(except) ? itemsOf(except ?? null).map(each => toText(each).toLowerCase()) : []
  const kept = columns.filter(({ name }) => !without.includes(name.toLowerCase()))
  if (kept.length === 0) return '*'
  const written = (name: string) => (quote === undefined || isTrue(quote) ? engine.quoteIfNeeded(name) : name)
  const renames = rename instanceof Dict ? rename.entries : new Map<string, Value>()
  const before = isGiven(alias) ? `${toText(alias ?? '')}.` : ''
  const part = (value: Value | undefined) => (isGiven(value) ? toText(value ?? '') : '')
  return kept
    .map(({ name }) => {
      const other = `${part(prefix)}${toText(renames.get(name) ?? name)}${part(suffix)}`
      return `${before}${written(name)}${other === name ? '' : ` as ${written(other)}`}`
    })
    .join(',\n  ')
}

/** Says why a list of columns cannot be a plain star. */
function plainProblem(
  { dialect }: DbtProject,
  [, except, prefix, suffix, , rename]: Options,
): CallProblem | undefined {
  const { excluded, columnsHint } = dialect
  const isPlain = ![prefix, suffix, rename].some(isGiven) && (excluded !== undefined || !isGiven(except))
  const options = `${excluded === undefined ? 'except, ' : ''}prefix, suffix or rename`
  const what = `dbt_utils.star with ${options} lists columns that are not known here`
  return isPlain ? undefined : new CallProblem(what, columnsHint)
}

function plainStar(project: DbtProject, options: Options): string {
  const problem = plainProblem(project, options)
  if (problem !== undefined) throw problem
  const [alias, except] = options
  const { excluded } = project.dialect
  const left =
    !isGiven(except) || excluded === undefined ? [] : itemsOf(except ?? null).map(each => `"${toText(each)}"`)
  const all = left.length === 0 || excluded === undefined ? '*' : excluded(left)
  return isGiven(alias) ? `${toText(alias ?? '')}.${all}` : all
}
