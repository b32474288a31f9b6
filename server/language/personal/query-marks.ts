/**
 * What a query that is not an asset shows of personal data: in its rows, and in a message of the engine when it
 * fails at a value. In doubt it shows it.
 */
import type { ColumnOrigin, ProjectAnalysis } from '../analysis.ts'
import type { Asset, Project } from '../project/project.ts'
import { bindQueryText } from '../sql/binder/bind.ts'
import type { BoundSql, Column } from '../sql/binder/model.ts'
import type { Expression } from '../sql/expression-tree.ts'
import { readSql } from '../sql/reader/read-sql.ts'
import type { SqlTemplate } from '../syntax/template.ts'
import { queryWorld } from './query-world.ts'

export type QueryMarks = ReturnType<typeof queryMarks>

interface QueryGround {
  readonly project: Pick<Project, 'engine' | 'byName'>
  readonly analysis: ProjectAnalysis
  /** Whether values of a column that SQL reads are personal. */
  readonly carries: (origin: ColumnOrigin) => boolean
}

/** `template` is SQL of the asset: its transform, or a query of one of its tests. */
export function queryMarks(ground: QueryGround, asset: Asset, template: SqlTemplate) {
  const { engine } = ground.project
  const reading = readSql(template.text, engine.grammar)
  const bound = bindQueryText(
    reading,
    queryWorld(ground.project, ground.analysis, asset.name),
    engine.binding,
    { trace: true },
  )
  const { columns, open } = bound.output
  const isUnsure = open !== undefined || columns.length === 0 || columns.some(isOpen)
  const isAnyRead = bound.reads.some(ground.carries)
  return {
    /** Returns whether values of a column of the result are personal. */
    isPersonal(name: string) {
      if (isUnsure) return isAnyRead
      const found = columns.filter(column => engine.sameName(column.name, name))
      return (found.length === 0 ? columns : found).some(column => carriesAny(column, ground))
    },
    /** Whether a message may quote a personal value: an expression computes with one. */
    inMessages: isAnyRead && (isUnclear(bound) || computes(bound, ground)),
  }
}

function isOpen({ spread }: Column): boolean {
  return spread !== undefined && spread.candidates === undefined
}

function carriesAny({ value, spread }: Column, ground: QueryGround): boolean {
  return (
    value.origins.some(ground.carries) ||
    spread?.candidates?.some(column => carriesAny(column, ground)) === true
  )
}

/** A pivot makes names of values, and what cannot be read may compute anything. */
function isUnclear({ query, problems, names }: BoundSql): boolean {
  return query === undefined || problems.length > 0 || names.length > 0
}

const plain: ReadonlySet<Expression['kind']> = new Set(['literal', 'parameter', 'tag', 'reference', 'star'])

function computes({ values, scopes }: BoundSql, { carries }: QueryGround): boolean {
  for (const [expression, { origins, hints }] of values)
    if (!plain.has(expression.kind) && [...origins, ...hints].some(carries)) return true
  // Columns that USING merges are compared, and may be converted for that.
  for (const { merged } of scopes.values())
    for (const { value } of merged.values()) if (value.origins.some(carries)) return true
  return false
}
