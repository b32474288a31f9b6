/** `svc sample <asset_name>`: some rows of what is deployed (interface.md 4.4, decisions 3). */
import { SvcError } from '../engine/errors.ts'
import { renderSample, type SampleReport, sampleJson } from '../render/sample.ts'
import { type Command, environmentOption, jsonOption } from './command.ts'
import { withNearestName } from './nearest-asset.ts'
import { sayWaiting } from './say-waiting.ts'

export const sampleCommand: Command = {
  name: 'sample',
  brief: 'rows of an asset',
  summary: 'Show rows of an asset: its production view, its table, or its raw load.',
  arguments: [{ name: 'asset_name', summary: 'name of the asset', required: true }],
  options: [
    { name: 'limit', value: 'number', summary: 'rows to show', default: 10 },
    { name: 'size', value: 'number', summary: 'make a temporary sample table with this many rows' },
    environmentOption,
    {
      name: 'source',
      value: 'type',
      summary: 'what to read',
      choices: ['raw', 'model', 'view'],
      default: 'view',
    },
    { name: 'child', value: 'name', summary: 'with --source raw: a child table of nested records' },
    { name: 'run', value: 'id', summary: 'of a preview or failed run instead of what is live' },
    jsonOption,
  ],
  examples: [
    { line: 'svc sample daily_sales --limit 3', says: 'three rows of production of dev' },
    { line: 'svc sample orders --source raw --env prod', says: 'what the source delivered' },
  ],
  exitCodes: {
    0: 'done',
    1: 'the asset was never deployed',
    2: 'wrong usage, no project or unknown asset',
    3: 'warehouse failed',
  },
  async run(context) {
    const { options } = context
    const limit = options.count('limit') ?? 10
    const size = options.count('size')
    const runId = options.text('run')
    const child = options.text('child')
    const source = options.text('source') as SampleReport['source']
    if (child !== undefined && source !== 'raw') {
      throw new SvcError('wrong-usage', '--child goes with --source raw only', {
        hint: 'Child tables are part of the raw load: svc sample <asset> --source raw --child <name>.',
      })
    }
    const workspace = await context.openWorkspace({ readSources: false })
    const { sampleAsset } = await import('../engine/run/sample-asset.ts')
    const asset = context.arguments[0] ?? ''
    const request = {
      source,
      limit,
      ...(size === undefined ? {} : { size }),
      ...(runId === undefined ? {} : { runId }),
      ...(child === undefined ? {} : { child }),
    }
    const sample = await withNearestName(workspace, asset, () =>
      sampleAsset(workspace, asset, request, sayWaiting(context)),
    )
    const report: SampleReport = { environment: workspace.environment.name, ...sample }
    return { exitCode: 0, text: style => renderSample(report, style), json: sampleJson(report) }
  },
}
