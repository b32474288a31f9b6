/**
 * The shape of DuckDB's SQL trees (`json_serialize_sql`), as far as the walks of this folder read them. Fields that
 * hold a default may be missing. Positions (`query_location`) are UTF-8 byte offsets in the statement's text; where
 * the parser knows none, the number is far beyond any text.
 */
export interface SqlTree {
  readonly error?: boolean
  readonly error_type?: string
  readonly error_message?: string
  readonly position?: string
  readonly statements?: readonly { readonly node: QueryNode }[]
}

export interface QueryNode {
  readonly type: string
  readonly cte_map?: { readonly map?: readonly CteEntry[] }
  readonly modifiers?: readonly Modifier[]
  // SELECT_NODE
  readonly select_list?: readonly Expression[]
  readonly from_table?: TableNode
  readonly where_clause?: Expression
  readonly group_expressions?: readonly Expression[]
  readonly having?: Expression
  readonly qualify?: Expression
  // SET_OPERATION_NODE and RECURSIVE_CTE_NODE
  readonly setop_type?: string
  readonly left?: QueryNode
  readonly right?: QueryNode
  readonly cte_name?: string
  readonly aliases?: readonly string[]
}

export interface CteEntry {
  readonly key: string
  readonly value: { readonly aliases?: readonly string[]; readonly query: { readonly node: QueryNode } }
}

export interface Modifier {
  readonly type: string
  readonly orders?: readonly { readonly expression: Expression }[]
  readonly distinct_on_targets?: readonly Expression[]
}

export interface TableNode {
  readonly type: string
  readonly alias?: string
  readonly query_location?: number
  readonly schema_name?: string
  readonly table_name?: string
  readonly column_name_alias?: readonly string[]
  // SUBQUERY
  readonly subquery?: { readonly node: QueryNode }
  // JOIN
  readonly left?: TableNode
  readonly right?: TableNode
  readonly condition?: Expression
  readonly join_type?: string
  readonly ref_type?: string
  readonly using_columns?: readonly string[]
  // TABLE_FUNCTION
  readonly function?: Expression
  // EXPRESSION_LIST
  readonly values?: readonly (readonly Expression[])[]
  // PIVOT
  readonly source?: TableNode
  readonly aggregates?: readonly Expression[]
  readonly pivots?: readonly PivotColumn[]
  readonly groups?: readonly string[]
  readonly unpivot_names?: readonly string[]
}

export interface PivotColumn {
  readonly pivot_expressions?: readonly Expression[]
  readonly unpivot_names?: readonly string[]
  readonly entries?: readonly PivotEntry[]
}

export interface PivotEntry {
  readonly values?: readonly { readonly value?: unknown }[]
  readonly star_expr?: Expression
  readonly alias?: string
}

export interface Expression {
  readonly class?: string
  readonly type: string
  readonly alias?: string
  readonly query_location?: number
  readonly column_names?: readonly string[]
  readonly function_name?: string
  readonly is_operator?: boolean
  readonly children?: readonly Expression[]
  readonly child?: Expression
  readonly lhs?: Expression
  readonly expr?: Expression
  readonly cast_type?: unknown
  // STAR
  readonly relation_name?: string
  readonly columns?: boolean
  readonly exclude_list?: readonly string[]
  readonly qualified_exclude_list?: readonly { readonly table?: string; readonly column: string }[]
  readonly replace_list?: readonly { readonly key: string; readonly value: Expression }[]
  readonly rename_list?: readonly { readonly key: { readonly column: string }; readonly value: string }[]
  // SUBQUERY
  readonly subquery?: { readonly node: QueryNode }
  readonly subquery_type?: string
  // POSITIONAL_REFERENCE
  readonly index?: number
  // VALUE_CONSTANT
  readonly value?: { readonly value?: unknown; readonly is_null?: boolean }
}

/** The byte offset of a node, or undefined where the parser kept none. */
export function locationOf(node: { readonly query_location?: number }): number | undefined {
  const location = node.query_location
  return location === undefined || location > 1e15 ? undefined : location
}

/** The one query of a tree; undefined where the text was no single SELECT. */
export function queryOf(tree: SqlTree): QueryNode | undefined {
  return tree.statements?.length === 1 ? tree.statements[0]?.node : undefined
}

/** Calls `visit` with every expression directly below `value`, whatever the kind of node between. */
export function forEachExpression(value: object, visit: (child: Expression) => void): void {
  for (const key in value) {
    const child: unknown = (value as Record<string, unknown>)[key]
    if (typeof child !== 'object' || child === null || key === 'cast_type') continue
    if (isExpression(child)) visit(child)
    else forEachExpression(child, visit)
  }
}

function isExpression(value: object): value is Expression {
  return 'class' in value && 'type' in value
}
