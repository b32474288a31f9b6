/** Checks the metrics of the glossary: what they name, their SQL as the catalogue has bound it, policies. */
import type { ProjectAnalysis } from '../analysis.ts'
import { type Glossary, glossaryPath, type Metric, type Policy } from '../glossary/glossary.ts'
import { metricAssets, metricKey } from '../glossary/metric-asset.ts'
import { isWholeQuery, metricQuery } from '../glossary/metric-query.ts'
import { metricTimeColumns } from '../glossary/metric-time.ts'
import { appliesTo, namesMetric } from '../glossary/terms.ts'
import { breachText, forbids, ruleOf } from '../personal/breach.ts'
import type { Mark } from '../personal/flow.ts'
import { policyMarking } from '../personal/marking.ts'
import { projectFlow } from '../personal/project-flow.ts'
import { locate } from '../project/locate.ts'
import type { Project } from '../project/project.ts'
import { addItem, removeAt, type YamlEdit, yamlScalar } from '../project/yaml-edits.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import type { Range } from '../text/range.ts'
import { columnType, knownColumns } from './columns.ts'
import { unknownAsset } from './unknown-glossary-asset.ts'

type File = NonNullable<Glossary['file']>

export function metricProblems(
  project: Project,
  analysis: ProjectAnalysis | undefined,
  metric: Metric,
): readonly Diagnostic[] {
  const { file } = project.glossary
  if (file === undefined) return []
  return [
    ...tagProblems(project, metric),
    ...sourceProblems(project, file, metric),
    ...(analysis?.of(metricKey(metric))?.diagnostics ?? []),
    ...(analysis === undefined ? [] : grainProblems(project, file, analysis, metric)),
    ...(analysis === undefined ? [] : metricBreaches(project, analysis, metric)),
  ]
}

const byPeriod = { time: 'time', by: [], where: undefined }

/** Periods are those of a date or a timestamp of what is read, unless the SQL makes its own groups. */
function grainProblems(
  project: Project,
  file: File,
  analysis: ProjectAnalysis,
  metric: Metric,
): readonly Diagnostic[] {
  const { engine } = project
  if (metric.timeGrain === undefined || 'problem' in metricQuery(metric, byPeriod, engine)) return []
  const tags = metricAssets(project).get(metricKey(metric))?.sql?.tags ?? []
  const read = [...new Set(tags.flatMap(tag => (tag.kind === 'ref' ? [tag.name] : [])))]
  const isKnown = (name: string) => {
    const asset = analysis.of(name)
    return knownColumns(asset)?.every(column => columnType(asset, column, engine) !== undefined) === true
  }
  if (read.length === 0 || !read.every(isKnown)) return []
  if (metricTimeColumns(project, analysis, metric).length > 0) return []
  const range = locate(file, ['metrics', metric.index, 'time_grain'])
  const message = `"${metric.name}" has no time for its time_grain: ${read.join(' and ')} ${read.length === 1 ? 'has' : 'have'} no date or timestamp`
  const hint = `Make a column a date in ${read.length === 1 ? 'that asset' : 'one of them'}, or take time_grain out.`
  return [{ ...at('metric-without-time', range, message, 'warning'), hint }]
}

function tagProblems(project: Project, { sql }: Metric): readonly Diagnostic[] {
  return (sql?.tags ?? []).flatMap(tag => {
    const range = sql?.toFile.rangeToOriginal('nameRange' in tag && tag.nameRange ? tag.nameRange : tag.range)
    if (range === undefined) return []
    if (tag.kind === 'ref' && !project.byName.has(tag.name)) return [unknownAsset(project, tag.name, range)]
    if (tag.kind !== 'source' && tag.kind !== 'this' && tag.kind !== 'window') return []
    const hint = "Name what it reads with {{ ref('asset') }}."
    return [{ ...at('invalid-tag', range, `a metric has no {{ ${tag.kind} }}`), hint }]
  })
}

// ---------------------------------------------------------------- source_assets

/** A list that is not there is derived from the refs; one that is there must agree with them. */
function sourceProblems(project: Project, file: File, metric: Metric): readonly Diagnostic[] {
  const { sql, sourceAssets, index } = metric
  const list = ['metrics', index, 'source_assets']
  const itemRange = (item: number): Range => locate(file, [...list, item])
  const unknown = sourceAssets.flatMap((name, item) =>
    project.byName.has(name) ? [] : [unknownAsset(project, name, itemRange(item))],
  )
  if (sql === undefined) return unknown
  if (!isWholeQuery(sql.text)) return [...unknown, ...expressionProblems(file, metric)]
  const read = new Set(sql.tags.flatMap(tag => (tag.kind === 'ref' ? [tag.name] : [])))
  if (sourceAssets.length === 0) return unknown
  const missing = [...read].filter(name => project.byName.has(name) && !sourceAssets.includes(name))
  const known = [...sourceAssets.entries()].filter(([, name]) => project.byName.has(name))
  // A misspelt ref may be the one that seems to be missing.
  const isCertain = [...read].every(name => project.byName.has(name))
  const extra = isCertain ? known.filter(([, name]) => !read.has(name)) : []
  return [
    ...unknown,
    ...missing.map(name =>
      disagreement(
        locate(file, list, 'key'),
        `the SQL of "${metric.name}" reads ${name}, which source_assets does not have`,
        `Add ${name}`,
        addItem(file, list, yamlScalar(name)),
      ),
    ),
    ...extra.map(([item, name]) =>
      disagreement(
        itemRange(item),
        `the SQL of "${metric.name}" does not read ${name}`,
        `Remove ${name}`,
        removeAt(file, [...list, item]),
      ),
    ),
  ]
}

/** An expression has no FROM: it is computed over the one asset of the list. */
function expressionProblems(file: File, { name, index, sourceAssets }: Metric): readonly Diagnostic[] {
  if (sourceAssets.length === 1) return []
  const count = sourceAssets.length === 0 ? 'none' : 'several'
  const range = locate(file, ['metrics', index, 'sql_definition'])
  const message = `the expression of "${name}" needs the one asset that it is computed over in source_assets, which has ${count}`
  const hint = "Name one there, or write a SELECT with {{ ref('asset') }}."
  return [{ ...at('metric-source-assets', range, message, 'warning'), hint }]
}

function disagreement(range: Range, message: string, title: string, edit: YamlEdit | undefined): Diagnostic {
  const fixes = edit === undefined ? {} : { fixes: [{ title, edits: [{ path: glossaryPath, ...edit }] }] }
  return { ...at('metric-source-assets', range, message, 'warning'), hint: `${title}.`, ...fixes }
}

// ---------------------------------------------------------------- policies

/** A policy watches a metric by its id (`metric.*`), and like the assets that it reads. */
function metricBreaches(project: Project, analysis: ProjectAnalysis, metric: Metric): readonly Diagnostic[] {
  const query = metricAssets(project).get(metricKey(metric))
  const tags = query?.sql?.tags ?? []
  const read = tags.flatMap(tag => (tag.kind === 'ref' ? (project.byName.get(tag.name) ?? []) : []))
  return project.glossary.policies
    .filter(({ enforcement }) => enforcement !== 'off')
    .filter(policy => namesMetric(policy, metric) || read.some(asset => appliesTo(policy, project, asset)))
    .flatMap(policy => breachesOf(project, analysis, metric, policy))
}

function breachesOf(
  project: Project,
  analysis: ProjectAnalysis,
  metric: Metric,
  policy: Policy,
): readonly Diagnostic[] {
  const { engine, glossary } = project
  const key = metricKey(metric)
  const metrics = metricAssets(project)
  const byName = { get: (name: string) => metrics.get(name) ?? project.byName.get(name) }
  const flow = projectFlow({ engine, byName }, analysis, policyMarking(policy))
  const { columns, uses } = analysis.of(key) ?? { columns: [], uses: [] }
  const whole = glossary.file && locate(glossary.file, ['metrics', metric.index, 'sql_definition'])
  return columns.flatMap(({ name: column }) => {
    const mark = flow.of(key, column)
    if (mark === undefined || !forbids(policy, mark)) return []
    const use = uses.find(({ origin }) => sameRoot(flow.of(origin.asset, origin.column), mark))
    return [breach(project, policy, { column, mark, range: use?.range ?? whole ?? metric.range })]
  })
}

function sameRoot(mark: Mark | undefined, { root }: Mark): boolean {
  return mark?.root.asset === root.asset && mark.root.column === root.column
}

interface Shown {
  readonly column: string
  readonly mark: Mark
  readonly range: Range
}

function breach({ engine }: Project, policy: Policy, { column, mark, range }: Shown): Diagnostic {
  const message = `the metric shows personal values: ${breachText(engine, '', { policy, column, mark })}`
  const way = mark.grade === 'derived' ? 'Leave it out.' : 'Leave it out, or count it.'
  return { ...at('policy-breach', range, message, policy.severity), hint: ruleOf(policy) + way }
}

function at(
  code: string,
  range: Range,
  message: string,
  severity: Diagnostic['severity'] = 'error',
): Diagnostic {
  return { code, severity, path: glossaryPath, range, message }
}
