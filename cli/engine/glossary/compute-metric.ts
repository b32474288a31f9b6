/** Computes a metric over the live builds of what it reads: as `svc sample --query` reads, with the same masks. */
import {
  type Diagnostic,
  type Dimension,
  entryId,
  glossaryPath,
  isMetricDate,
  type Metric,
  type MetricBreakdown,
  metricKey,
  metricProblems,
  metricQuery,
  metricTimeColumns,
  type Project,
  placeAt,
} from '@svc/server/language'
import { SvcError } from '../errors.ts'
import type { EmitEvent } from '../run/events.ts'
import { type QuerySubject, sampleSubject } from '../run/sample-query.ts'
import type { Workspace } from '../workspace/workspace.ts'

export interface MetricRequest extends MetricBreakdown {
  readonly limit: number
  readonly unmasked: boolean
}

/** The word for the one column that holds a time. */
const anyTime = 'auto'

/** Throws SvcError `wrong-usage`, `invalid-project`, `policy-breach`, `parent-not-built`, `build-failed`. */
export async function computeMetric(
  workspace: Workspace,
  metric: Metric,
  request: MetricRequest,
  emit?: EmitEvent,
) {
  const { project } = workspace
  const analysis = await workspace.catalog.analyze(project, workspace.sources, {
    names: [metricKey(metric)],
    unitTests: 'none',
    signal: workspace.signal,
  })
  refuseProblems(project, metric, metricProblems(project, analysis, metric))
  const time =
    request.time === anyTime ? timeColumn(metric, metricTimeColumns(project, analysis, metric)) : request.time
  const by = request.by.map(name => columnOf(project.glossary.dimensions, name))
  const isDate = time !== undefined && isMetricDate(project, analysis, metric, time)
  const query = metricQuery(metric, { ...request, by, time, isDate }, project.engine)
  if ('problem' in query)
    throw new SvcError('wrong-usage', `the metric "${metric.name}": ${query.problem}`, { hint: query.hint })
  const { limit, unmasked } = request
  const asked = { limit, unmasked, cte: undefined, text: undefined, runId: undefined }
  try {
    return {
      sql: query.sql,
      sample: await sampleSubject(workspace, subjectOf(project, query.sql), asked, emit),
    }
  } catch (error) {
    throw atMetric(project, metric, error)
  }
}

/** Its SQL has errors, or it shows what a policy forbids. */
function refuseProblems({ glossary }: Project, { name }: Metric, found: readonly Diagnostic[]): void {
  const errors = found.filter(({ severity }) => severity === 'error')
  const [first] = [...errors].sort((a, b) => a.range.start - b.range.start)
  if (first === undefined) return
  const more = errors.length === 1 ? '' : ` (and ${errors.length - 1} more)`
  const code = first.code === 'policy-breach' ? 'policy-breach' : 'invalid-project'
  throw new SvcError(code, `the metric "${name}": ${first.message}${more}`, {
    ...(first.hint !== undefined && { hint: first.hint }),
    place: placeAt(glossaryPath, glossary.file?.text ?? '', first.range.start),
  })
}

function timeColumn({ name }: Metric, columns: readonly string[]): string {
  const [only, ...others] = columns
  if (only !== undefined && others.length === 0) return only
  const [what, hint] =
    only === undefined
      ? ['no column of what it reads is a date or a timestamp', 'Cast one in its asset.']
      : [`several columns hold a time: ${columns.join(', ')}`, `Name one: --time ${only}.`]
  throw new SvcError('wrong-usage', `the metric "${name}": ${what}`, { hint })
}

/** A dimension stands for the column of its name: `Order status` for `order_status`. */
function columnOf(dimensions: readonly Dimension[], written: string): string {
  const text = written.trim().toLowerCase()
  const found = dimensions.find(
    ({ id, name }) => id.toLowerCase() === text || name.trim().toLowerCase() === text,
  )
  return found === undefined ? written.trim() : entryId('', found.name).slice(1)
}

const subjectName = 'svc_metric_query'

/** The query as an asset that no file has. */
function subjectOf(project: Project, sql: string): QuerySubject {
  const path = `${project.settings.models.replace(/\/$/, '')}/${subjectName}.svc`
  const text = `name: ${subjectName}\ningest: none\ntransform: ${JSON.stringify(sql)}\n`
  const changed = project.with(path, text)
  const asset = changed.assets.get(path)
  if (asset === undefined) throw new Error('a metric became no asset')
  return { project: changed, asset }
}

/** The place is that of the metric: the asset is nobody's file. */
function atMetric({ glossary }: Project, metric: Metric, error: unknown): unknown {
  if (!(error instanceof SvcError) || error.code === 'not-deployed') return error
  return new SvcError(error.code, `the metric "${metric.name}": ${error.message}`, {
    hint: error.givenHint,
    place: placeAt(glossaryPath, glossary.file?.text ?? '', metric.range.start),
  })
}
