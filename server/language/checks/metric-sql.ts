/** Checks the SQL of metrics: its grammar, and the columns that it takes from assets. No engine is asked. */
import type { ProjectAnalysis } from '../analysis.ts'
import { glossaryPath, type Metric } from '../glossary/glossary.ts'
import { isWholeQuery } from '../glossary/metric-query.ts'
import { queryWorld } from '../personal/query-world.ts'
import type { Project } from '../project/project.ts'
import { bindQueryText } from '../sql/binder/bind.ts'
import type { BoundSql, NameProblem } from '../sql/binder/model.ts'
import { readSql } from '../sql/reader/read-sql.ts'
import type { Span } from '../sql/tree.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import { suggestName, suggestOneOf } from './suggestion.ts'

export function metricSqlProblems(
  project: Project,
  analysis: ProjectAnalysis | undefined,
  metric: Metric,
): readonly Diagnostic[] {
  const { sql } = metric
  // An invalid tag is reported by itself, and leaves a hole in the SQL.
  if (sql === undefined || sql.tags.some(({ kind }) => kind !== 'ref' && kind !== 'var')) return []
  const { text, offset } = wholeQuery(sql.text, metric)
  const { engine } = project
  const reading = readSql(text, engine.grammar)
  const rangeOf = ({ start, end }: Span) =>
    sql.toFile.rangeToOriginal({
      start: Math.min(Math.max(start - offset, 0), sql.text.length),
      end: Math.min(Math.max(end - offset, 0), sql.text.length),
    })
  if (reading.problems.length > 0)
    return reading.problems.map(({ message, suggestions, hint = '', ...span }) => {
      const place = { path: glossaryPath, range: rangeOf(span) }
      // What is missing cannot be put in by replacing what is there.
      const { fixes: _, ...rest } = suggestOneOf(suggestions, place, suggestions.length > 0 ? '' : hint)
      return problem(place.range, message, rest)
    })
  if (analysis === undefined) return []
  const bound = bindQueryText(reading, queryWorld(project, analysis), engine.binding)
  return bound.problems.flatMap(each => {
    if (each.kind !== 'unknown-column' || readsUnknown(bound)) return []
    const place = { path: glossaryPath, range: rangeOf(each.span) }
    const names = columnsFor(each)
    return [problem(place.range, `unknown column "${each.name}"`, suggestName(each.name, names, place, ''))]
  })
}

/** An expression is computed over the one asset that the metric names. */
function wholeQuery(
  text: string,
  { sourceAssets }: Metric,
): { readonly text: string; readonly offset: number } {
  if (isWholeQuery(text)) return { text, offset: 0 }
  const [asset, ...others] = sourceAssets
  const from = asset === undefined || others.length > 0 ? '' : `\nFROM {{ ref('${asset}') }}`
  return { text: `SELECT ${text}${from}`, offset: 'SELECT '.length }
}

/** Tables that are not assets may have any columns. */
function readsUnknown({ tables }: BoundSql): boolean {
  return tables.some(({ open }) => open !== undefined) || tables.length === 0
}

function columnsFor({
  table,
  among,
  scope,
}: Extract<NameProblem, { kind: 'unknown-column' }>): readonly string[] {
  const columns = among ?? table?.columns ?? scope.tables.flatMap(each => each.columns)
  return [...new Set(columns.map(({ name }) => name))]
}

function problem(
  range: Diagnostic['range'],
  message: string,
  rest: Pick<Diagnostic, 'hint' | 'suggestions' | 'fixes'>,
): Diagnostic {
  return { code: 'metric-sql', severity: 'error', path: glossaryPath, range, message, ...rest }
}
