/** `dbt_utils.star` lists the columns of a relation, which only a warehouse knows: a plain star has all of them. */
import { bound } from '../jinja/arguments.ts'
import { itemsOf } from '../jinja/iterate.ts'
import { CallProblem, type Site } from '../jinja/problem.ts'
import { fn, isTrue, type JinjaObject, toText, type Value } from '../jinja/values.ts'
import type { DbtDialect } from './dialect.ts'

const parameters = ['from', 'relation_alias', 'except', 'prefix', 'suffix', 'quote_identifiers', 'rename']

/** `changed` is told what may differ. */
export function star(
  { excluded, columnsHint }: DbtDialect,
  changed: (message: string, hint: string, site: Site) => void,
): JinjaObject {
  const isGiven = (value: Value | undefined) => value !== undefined && isTrue(value)
  return fn('dbt_utils.star', (given, site) => {
    const [, alias, except, prefix, suffix, , rename] = bound(given, parameters, 'dbt_utils.star')
    if ([prefix, suffix, rename].some(isGiven) || (excluded === undefined && isGiven(except))) {
      const options = `${excluded === undefined ? 'except, ' : ''}prefix, suffix or rename`
      throw new CallProblem(
        `dbt_utils.star with ${options} lists columns that only a warehouse knows`,
        columnsHint,
      )
    }
    const left =
      except === undefined || excluded === undefined ? [] : itemsOf(except).map(each => `"${toText(each)}"`)
    const all = left.length === 0 || excluded === undefined ? '*' : excluded(left)
    if (alias !== undefined && isTrue(alias)) return `${toText(alias)}.${all}`
    const hint = 'In a join write the alias of the table before it: orders.*'
    changed('dbt_utils.star became *, which in a join has the columns of all tables', hint, site)
    return all
  })
}
