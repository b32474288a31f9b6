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
  const { engine } = project
  const tags = metricAssets(project).get(metricKey(metric))?.sql?.tags ?? []
  const names = tags.flatMap(tag => {
    const asset = tag.kind === 'ref' ? analysis.of(tag.name) : undefined
    return (asset?.columns ?? []).flatMap(({ name }) => {
      const type = columnType(asset, name, engine)
      return type !== undefined && isPointInTime(engine.types.family(type.type)) ? [name] : []
    })
  })
  return [...new Set(names)]
}
