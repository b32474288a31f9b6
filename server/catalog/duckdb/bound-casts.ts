/** Reads from DuckDB's plans which type its binder casts each literal to. */
import type { BoundCast } from '../binder.ts'
import { quoteLiteral } from './quoting.ts'
import { constantSql, type TreeConstant, type TreeType, typeSql } from './type-sql.ts'

/** Returns the casts of each statement; none where DuckDB cannot serialize the plan. */
export async function boundCasts(
  rows: (sql: string) => Promise<readonly (readonly unknown[])[]>,
  statements: readonly string[],
): Promise<BoundCast[][]> {
  if (statements.length === 0) return []
  const values = statements.map(sql => `(${quoteLiteral(sql)})`)
  const plans = await rows(
    `SELECT json_serialize_plan(x, skip_null := true, skip_empty := true, skip_default := true) FROM (VALUES ${values.join(',')}) t(x)`,
  )
  return plans.map(([json]) => {
    const casts: BoundCast[] = []
    collect(JSON.parse(String(json)), casts)
    return casts
  })
}

interface PlanNode {
  readonly type?: unknown
  readonly expression_class?: unknown
  readonly try_cast?: boolean
  readonly child?: PlanNode & { readonly query_location?: number; readonly value?: TreeConstant }
  readonly return_type?: TreeType
}

function collect(value: unknown, casts: BoundCast[]): void {
  if (typeof value !== 'object' || value === null) return
  const node = value as PlanNode
  if (node.type === 'OPERATOR_TRY') return
  if (node.expression_class === 'BOUND_CAST' && node.try_cast !== true) note(node, casts)
  for (const child of Object.values(value)) collect(child, casts)
}

function note({ child, return_type }: PlanNode, casts: BoundCast[]): void {
  const type = typeSql(return_type)
  if (child?.expression_class !== 'BOUND_CONSTANT' || child.value === undefined) return
  const constant = constantSql(child.value)
  const location = child.query_location
  if (type === undefined || type === 'VARCHAR' || constant === undefined || location === undefined) return
  casts.push({ location, constant, type })
}
