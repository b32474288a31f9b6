/**
 * Contracts of models: the columns that are promised, with their types and their order. dbt compares them with what the SQL
 * gives; here the SQL itself gives them.
 */
import { Dict, isTrue, type Value } from '../jinja/values.ts'
import { columnsOf } from './columns.ts'
import type { Config } from './config.ts'
import type { DbtProject } from './dbt-project.ts'
import { declaredType } from './dialect.ts'
import type { DbtNode } from './project-index.ts'

/** Returns the SQL with the columns of the contract; as it is for a model without one. */
export function withContract(project: DbtProject, node: DbtNode, config: Config, sql: string): string {
  const contract = config.get('contract')
  if (contract === undefined) return sql
  const keys = contract.value instanceof Dict ? [...contract.value.entries.keys()] : []
  for (const key of keys.filter(each => each !== 'enforced'))
    project.notes.add('left_out', contract.site, `"${String(key)}" of contract`)
  if (!isEnforced(contract.value)) return sql
  const asset = project.nameOf(node)
  const columns = promised(project, node)
  if (columns === undefined) {
    const what = `the contract of ${asset}, which has a column without a type`
    const hint =
      'svc knows the types of a model from its SQL, and says what reads a column that changes (svc plan).'
    project.notes.add('left_out', contract.site, what, { hint, asset })
    return sql
  }
  const what = `the SQL of ${asset} gives the columns of its contract, with their types and in their order`
  const hint = 'dbt refuses a column of another type; here it is converted, and what cannot be fails the run.'
  project.notes.add('changed', contract.site, what, { hint, asset })
  const casts = columns.map(({ name, type }) => `  CAST(${name} AS ${type}) AS ${name}`)
  const inner = sql.trim().replace(/;$/, '')
  return `SELECT\n${casts.join(',\n')}\nFROM (\n${inner}\n) AS promised\n`
}

function isEnforced(value: Value): boolean {
  const enforced = value instanceof Dict ? value.entries.get('enforced') : undefined
  return enforced !== undefined && isTrue(enforced)
}

function promised(project: DbtProject, { properties, versionProperties }: DbtNode) {
  const columns = columnsOf(properties, versionProperties).map(column => {
    const [name, type] = [column.get('name')?.text, column.get('data_type')?.text]
    if (name === undefined || type === undefined) return undefined
    return { name: project.engine.quoteIfNeeded(name), type: declaredType(project, type) }
  })
  const known = columns.filter(each => each !== undefined)
  return known.length === 0 || known.length < columns.length ? undefined : known
}
