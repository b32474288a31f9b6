/** Which columns may be the time of a metric: those of what it reads that hold a date or a timestamp. */
import type { ProjectAnalysis } from '../analysis.ts'
import { columnType } from '../checks/columns.ts'
import { isPointInTime } from '../engines/sql-type.ts'
import type { Project } from '../project/project.ts'
import type { Metric } from './glossary.ts'
import { metricAssets, metricKey } from './metric-asset.ts'

/** Each name once, in the order of the assets and their columns. */
export function metricTimeColumns(
  project: Project,
  analysis: ProjectAnalysis,
  metric: Metric,
): readonly string[] {
  return [...new Set(timesOf(project, analysis, metric).map(({ name }) => name))]
}

/** Returns whether a column of what the metric reads, which may have its table before it, is a date wherever it is found. */
export function isMetricDate(
  project: Project,
  analysis: ProjectAnalysis,
  metric: Metric,
  column: string,
): boolean {
  const { sameName } = project.engine
  const name = column.slice(column.lastIndexOf('.') + 1)
  const found = timesOf(project, analysis, metric).filter(time => sameName(time.name, name))
  return found.length > 0 && found.every(({ family }) => family === 'date')
}

function timesOf(project: Project, analysis: ProjectAnalysis, metric: Metric) {
  const { engine } = project
  const tags = metricAssets(project).get(metricKey(metric))?.sql?.tags ?? []
  return tags.flatMap(tag => {
    const asset = tag.kind === 'ref' ? analysis.of(tag.name) : undefined
    return (asset?.columns ?? []).flatMap(({ name }) => {
      const family = columnType(asset, name, engine)?.family
      return family !== undefined && isPointInTime(family) ? [{ name, family }] : []
    })
  })
}
