/** `dbt_utils.star` lists the columns of a relation, which only a warehouse knows: a plain star has all of them. */
import { bound } from '../../jinja/arguments.ts'
import { CallProblem, type Site } from '../../jinja/problem.ts'
import { fn, isTrue, type JinjaObject, toText } from '../../jinja/values.ts'

const parameters = ['from', 'relation_alias', 'except', 'prefix', 'suffix', 'quote_identifiers', 'rename']

export function star(changed: (message: string, hint: string, site: Site) => void): JinjaObject {
  return fn('dbt_utils.star', (given, site) => {
    const [, alias, except, prefix, suffix, , rename] = bound(given, parameters, 'dbt_utils.star')
    if ([except, prefix, suffix, rename].some(each => each !== undefined && isTrue(each))) {
      throw new CallProblem(
        'dbt_utils.star with except, prefix, suffix or rename lists columns that only a warehouse knows',
        'Write the columns out.',
      )
    }
    if (alias !== undefined && isTrue(alias)) return `${toText(alias)}.*`
    const hint = 'In a join write the alias of the table before it: orders.*'
    changed('dbt_utils.star became *, which in a join has the columns of all tables', hint, site)
    return '*'
  })
}
