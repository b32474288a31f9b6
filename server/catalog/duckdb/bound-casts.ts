/** Reads from DuckDB's plans which type its binder casts each literal to. */
import type { BoundCast } from '../binder.ts'
import { quoteLiteral } from './quoting.ts'
import { readBindError } from './read-bind-error.ts'
import { constantSql, type TreeConstant, type TreeType, typeSql } from './type-sql.ts'

type Rows = (sql: string) => Promise<readonly (readonly unknown[])[]>

/**
 * Returns the casts of each statement; none where DuckDB cannot serialize the plan, or where that takes more memory than the
 * statement itself: a plan has the whole type of a struct at each place where one of its fields is read. What a cast would
 * have found there, the run finds.
 */
export async function boundCasts(rows: Rows, statements: readonly string[]): Promise<BoundCast[][]> {
  if (statements.length === 0) return []
  try {
    return await castsInPlans(rows, statements)
  } catch (error) {
    if (readBindError(error).kind !== 'memory') throw error
  }
  if (statements.length === 1) return [[]]
  const casts: BoundCast[][] = []
  for (const sql of statements) casts.push(...(await boundCasts(rows, [sql])))
  return casts
}

async function castsInPlans(rows: Rows, statements: readonly string[]): Promise<BoundCast[][]> {
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
