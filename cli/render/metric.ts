/** Renders the metrics of the glossary, and the figures of one. */
import type { JsonOf } from '@svc/server/contract'
import { type Metric, svcIn } from '@svc/server/language'
import type { Sample } from '../engine/run/sample-asset.ts'
import { renderSample } from './sample.ts'
import type { Style } from './style.ts'
import { renderTable } from './table.ts'

export interface MetricReport {
  readonly metric: Metric
  readonly sql: string
  readonly environment: string
  readonly sample: Sample
}

export function renderMetric({ metric, environment, sample }: MetricReport, style: Style): string[] {
  const meaning = metric.description === '' ? [] : [style.dim(metric.description)]
  return [
    style.bold(metric.name),
    ...meaning,
    '',
    ...renderSample({ ...sample, environment, asset: metric.name }, style),
  ]
}

export function renderMetricList(
  { metrics, environment }: { readonly metrics: readonly Metric[]; readonly environment: string },
  style: Style,
): string[] {
  const svc = svcIn(environment)
  if (metrics.length === 0)
    return ['glossary.yaml has no metrics', '', 'Next: svc glossary add-metric <name>']
  const columns = [{ title: 'Metric' }, { title: 'Id' }, { title: 'Grain' }, { title: 'Meaning' }]
  const rows = metrics.map(({ name, id, timeGrain, description }) => [name, id, timeGrain ?? '', description])
  return [...renderTable(columns, rows, style), '', `Next: ${svc(`metric ${metrics[0]?.id ?? ''}`)}`]
}

export function metricListJson(metrics: readonly Metric[]): JsonOf<'metric'> {
  return { metrics: metrics.map(itemJson), result: null }
}

export function metricJson({ metric, sql, environment, sample }: MetricReport): JsonOf<'metric'> {
  const { columns, rows, masked } = sample
  return {
    metrics: [itemJson(metric)],
    result: {
      environment,
      sql,
      columns: columns.map(({ name, type }) => ({ name, type: type ?? null })),
      rows: [...rows],
      masked: [...masked],
    },
  }
}

function itemJson({ id, name, description, expression, timeGrain, sourceAssets, owner }: Metric) {
  return {
    ...{ id, name, description },
    sql_definition: expression ?? null,
    time_grain: timeGrain ?? null,
    source_assets: [...sourceAssets],
    owner: owner ?? null,
  }
}
