/** `svc metric [id]`: lists the metrics of the glossary, or computes one over what is live. */
import { didYouMean } from '@svc/server/language'
import { SvcError } from '../engine/errors.ts'
import { refuseBroken } from '../engine/glossary/change-glossary.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import { metricJson, metricListJson, renderMetric, renderMetricList } from '../render/metric.ts'
import {
  type Command,
  type CommandContext,
  environmentOption,
  jsonOption,
  type Report,
  reportOf,
} from './command.ts'
import { sayWaiting } from './say-waiting.ts'

export const metricCommand: Command = {
  name: 'metric',
  brief: 'compute a metric of the glossary',
  summary: 'Compute a metric of the glossary over what is live; without one, list all.',
  arguments: [{ name: 'metric', summary: 'its identifier or name' }],
  options: [
    {
      name: 'by',
      value: 'column',
      summary: 'break down by a column or dimension; repeatable',
      repeatable: true,
    },
    {
      name: 'time',
      value: 'column',
      summary:
        "one row a period of the metric's time_grain, by this column; auto: the only date or timestamp",
    },
    { name: 'where', value: 'sql', summary: 'only rows that fulfil this condition' },
    { name: 'limit', value: 'number', summary: 'rows to show', default: 100 },
    { name: 'unmasked', summary: 'show the values of personal columns (pii)' },
    environmentOption,
    jsonOption,
  ],
  examples: [
    { line: 'svc metric', says: 'all metrics' },
    { line: 'svc metric Revenue --by day', says: 'one, for each day' },
  ],
  exitCodes: {
    0: 'done',
    1: 'what it reads was never deployed, its SQL has errors, or it shows what a policy forbids',
    2: 'wrong usage, no project or unknown metric',
    3: 'warehouse failed',
  },
  async run(context) {
    const [name] = context.arguments
    const limit = context.options.count('limit') ?? 100
    const workspace = await context.openWorkspace(name === undefined ? { readSources: false } : {})
    const { glossary } = workspace.project
    refuseBroken(glossary)
    if (name !== undefined) return await computed(context, workspace, { name, limit })
    return reportOf(
      { metrics: glossary.metrics, environment: workspace.environment.name },
      renderMetricList,
      ({ metrics }) => metricListJson(metrics),
    )
  },
}

async function computed(
  context: CommandContext,
  workspace: OpenedWorkspace,
  { name, limit }: { readonly name: string; readonly limit: number },
): Promise<Report> {
  const { options } = context
  const metric = metricCalled(workspace, name)
  const { computeMetric } = await import('../engine/glossary/compute-metric.ts')
  const request = {
    by: options.texts('by'),
    time: options.text('time'),
    where: options.text('where'),
    limit,
    unmasked: options.flag('unmasked'),
  }
  const { sql, sample } = await computeMetric(workspace, metric, request, sayWaiting(context))
  const report = { metric, sql, environment: workspace.environment.name, sample }
  return reportOf(report, renderMetric, metricJson)
}

function metricCalled({ project }: OpenedWorkspace, written: string) {
  const { metrics } = project.glossary
  const text = written.trim().toLowerCase()
  const found =
    metrics.find(({ id }) => id.toLowerCase() === text) ??
    metrics.find(({ name }) => name.trim().toLowerCase() === text)
  if (found !== undefined) return found
  const question = didYouMean(
    written,
    metrics.flatMap(({ id, name }) => [id, name]),
  )
  throw new SvcError('unknown-entry', `no metric is called "${written.slice(0, 100)}"${question}`, {
    hint: svc => `${svc('metric')} lists all metrics.`,
  })
}
