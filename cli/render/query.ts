/** Renders the rows of a query as a table that fits the terminal, as CSV or as JSON. */
import type { JsonOf } from '@svc/server/contract'
import type { SqlAnswer } from '../engine/run/query-sql.ts'
import { renderSample, type SampleReport, sampleCsv } from './sample.ts'
import type { Style } from './style.ts'
import { wrap } from './width.ts'

export interface QueryReport extends SqlAnswer {
  readonly environment: string
}

export function renderQuery(report: QueryReport, style: Style): string[] {
  const more = 'There are more rows: --limit shows them.'
  return [
    ...renderSample(asSample(report), style),
    ...(report.isCut ? wrap(more, style.width).map(style.dim) : []),
  ]
}

export function queryCsv(report: QueryReport): string {
  return sampleCsv(asSample(report))
}

export function queryJson({ environment, columns, rows, masked, isCut }: QueryReport): JsonOf<'query'> {
  return {
    environment,
    columns: columns.map(({ name, type }) => ({ name, type: type ?? null })),
    rows: [...rows],
    masked: [...masked],
    more: isCut,
  }
}

function asSample({ environment, columns, rows, masked }: QueryReport): SampleReport {
  const origin = { asset: 'query', source: 'query', relation: 'the query', sampleTable: undefined } as const
  return { ...origin, environment, columns, rows, masked }
}
