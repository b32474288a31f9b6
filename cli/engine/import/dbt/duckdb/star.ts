/** `dbt_utils.star` lists the columns of a relation, which only a warehouse knows: DuckDB's own star does the same. */
import { bound } from '../../jinja/arguments.ts'
import { itemsOf } from '../../jinja/iterate.ts'
import { CallProblem, type Site } from '../../jinja/problem.ts'
import { fn, isTrue, type JinjaObject, toText, type Value } from '../../jinja/values.ts'

const parameters = ['from', 'relation_alias', 'except', 'prefix', 'suffix', 'quote_identifiers', 'rename']

export function star(changed: (message: string, hint: string, site: Site) => void): JinjaObject {
  return fn('dbt_utils.star', (given, site) => {
    const [, alias, except, prefix, suffix, , rename] = bound(given, parameters, 'dbt_utils.star')
    if ([prefix, suffix, rename].some(each => each !== undefined && isTrue(each))) {
      throw new CallProblem(
        'dbt_utils.star with prefix, suffix or rename lists columns that only a warehouse knows',
        hint,
      )
    }
    const left = except === undefined ? [] : itemsOf(except).map((each: Value) => `"${toText(each)}"`)
    const excluded = left.length === 0 ? '' : ` exclude (${left.join(', ')})`
    if (alias !== undefined && isTrue(alias)) return `${toText(alias)}.*${excluded}`
    changed('dbt_utils.star became *, which in a join has the columns of all tables', joinHint, site)
    return `*${excluded}`
  })
}

const hint = "Write the columns out, or DuckDB's COLUMNS: COLUMNS('(.*)') AS 'prefix_\\1'."
const joinHint = 'In a join write the alias of the table before it: orders.*'
