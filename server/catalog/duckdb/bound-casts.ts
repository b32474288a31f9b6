/** Reads from DuckDB's plans which type its binder casts each literal to. */
import { type BoundCast, type BoundCasts, literalMark, type MarkedCast } from '../binder.ts'
import { throwIfLost } from '../limits.ts'
import { quoteLiteral } from './quoting.ts'
import { readBindError } from './read-bind-error.ts'
import { constantSql, type TreeConstant, type TreeType, typeSql } from './type-sql.ts'

type Rows = (sql: string) => Promise<readonly (readonly unknown[])[]>

/**
 * Returns the casts of each statement; "too large" where writing out the plan takes more memory than the statement itself: a
 * plan has the whole type of a struct at each place where one of its fields is read.
 */
export async function boundCasts(rows: Rows, statements: readonly string[]): Promise<BoundCasts[]> {
  if (statements.length === 0) return []
  try {
    return await castsInPlans(rows, statements)
  } catch (error) {
    if (readBindError(error).kind !== 'memory') throw error
  }
  if (statements.length === 1) return ['too large']
  const casts: BoundCasts[] = []
  for (const sql of statements) casts.push(...(await boundCasts(rows, [sql])))
  return casts
}

/**
 * Returns the casts of the marks (`literalMark`) in a statement, from the plan that EXPLAIN shows: it has no types of structs,
 * and no places either. None where the engine does not take the statement with its marks.
 */
export async function markedCasts(rows: Rows, sql: string): Promise<MarkedCast[]> {
  try {
    const plans = await rows(`EXPLAIN (FORMAT json) ${sql}`)
    const plan = plans.find(([name]) => name === 'logical_plan')?.[1]
    return marksIn(JSON.parse(String(plan ?? 'null')))
  } catch (error) {
    throwIfLost(readBindError(error))
    return []
  }
}

function marksIn(value: unknown): MarkedCast[] {
  if (typeof value === 'string') return [...value.matchAll(markCast)].flatMap(markedCast)
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(marksIn)
}

const markCast = new RegExp(`(?<!TRY_)CAST\\('${literalMark('(\\d+)')}' AS `, 'g')

function markedCast(match: RegExpExecArray): MarkedCast[] {
  const type = upToClosing(match.input.slice(match.index + match[0].length))
  return type === 'VARCHAR' ? [] : [{ mark: Number(match[1]), type }]
}

/** Returns the text before the parenthesis that closes the one around it. */
function upToClosing(text: string): string {
  let depth = 0
  let end = 0
  for (const { 0: part, index } of text.matchAll(/"(?:[^"]|"")*"|'(?:[^']|'')*'|[\s\S]/g)) {
    if (part === ')' && depth === 0) break
    depth += Number(part === '(') - Number(part === ')')
    end = index + part.length
  }
  return text.slice(0, end)
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
