/**
 * `svc sample <asset_name>`: shows rows of what is deployed (interface.md 4.4, decisions 3), or of the SQL in
 * the file or in an editor.
 */
import { SvcError } from '../engine/errors.ts'
import type { Sample } from '../engine/run/sample-asset.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import { renderSample, type SampleReport, sampleCsv, sampleJson } from '../render/sample.ts'
import {
  type Command,
  type CommandContext,
  csvOption,
  environmentOption,
  jsonOption,
  reportOf,
} from './command.ts'
import { withNearestName } from './nearest-asset.ts'
import { readStdin } from './read-stdin.ts'
import { sayWaiting } from './say-waiting.ts'

export const sampleCommand: Command = {
  name: 'sample',
  brief: 'rows of an asset',
  summary:
    'Show rows of an asset: its production view, its table, its raw load, or its SQL as it now stands.',
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
    { name: 'query', summary: "the file's SQL as it now stands, over the live builds of what it reads" },
    { name: 'cte', value: 'name', summary: 'as --query, the rows of one CTE' },
    { name: 'stdin', summary: 'with --query or --cte: the text of the file comes on stdin' },
    { name: 'run', value: 'id', summary: 'of a preview or failed run instead of what is live' },
    { name: 'unmasked', summary: 'show the values of personal columns (pii)' },
    csvOption,
    jsonOption,
  ],
  examples: [
    { line: 'svc sample daily_sales --limit 3', says: 'three rows of what dev shows' },
    { line: 'svc sample daily_sales --cte paid', says: 'a step of the SQL, not deployed yet' },
  ],
  exitCodes: {
    0: 'done',
    1: 'the asset was never deployed, or its SQL has errors',
    2: 'wrong usage, no project or unknown asset',
    3: 'warehouse failed',
  },
  async run(context) {
    const isQuery = asksForQuery(context)
    refuseMixture(context, isQuery)
    const workspace = await context.openWorkspace(isQuery ? {} : { readSources: false })
    const name = context.arguments[0] ?? ''
    const sample = await withNearestName(workspace, name, () =>
      isQuery ? queried(context, workspace, name) : stored(context, workspace, name),
    )
    const report: SampleReport = { environment: workspace.environment.name, ...sample }
    return { ...reportOf(report, renderSample, sampleJson), csv: sampleCsv(report) }
  },
}

function asksForQuery({ options }: CommandContext): boolean {
  return options.flag('query') || options.text('cte') !== undefined
}

function refuseMixture({ arguments: words, options }: CommandContext, isQuery: boolean): void {
  const child = options.text('child')
  if (child !== undefined && options.text('source') !== 'raw') {
    throw new SvcError('wrong-usage', '--child needs --source raw', {
      hint: svc =>
        `Child tables are part of the raw load: ${svc(`sample ${words[0] ?? '<asset_name>'} --source raw --child ${child}`)}.`,
    })
  }
  if (isQuery && (options.text('source') !== 'view' || options.count('size') !== undefined)) {
    throw new SvcError('wrong-usage', '--query and --cte cannot be combined with --source or --size', {
      hint: 'They read no table of the asset: they run its SQL.',
    })
  }
  if (!isQuery && options.flag('stdin')) {
    throw new SvcError('wrong-usage', '--stdin needs --query or --cte', {
      hint: 'Without them nothing is read of the file but its name.',
    })
  }
}

async function stored(context: CommandContext, workspace: OpenedWorkspace, name: string): Promise<Sample> {
  const { options } = context
  const { sampleAsset } = await import('../engine/run/sample-asset.ts')
  const request = {
    source: options.text('source') as 'raw' | 'model' | 'view',
    limit: options.count('limit') ?? 10,
    size: options.count('size'),
    runId: options.text('run'),
    child: options.text('child'),
    unmasked: options.flag('unmasked'),
  }
  return await sampleAsset(workspace, name, request, sayWaiting(context))
}

async function queried(context: CommandContext, workspace: OpenedWorkspace, name: string): Promise<Sample> {
  const { options } = context
  const { sampleQuery } = await import('../engine/run/sample-query.ts')
  const request = {
    limit: options.count('limit') ?? 10,
    cte: options.text('cte'),
    text: options.flag('stdin') ? await readStdin() : undefined,
    runId: options.text('run'),
    unmasked: options.flag('unmasked'),
  }
  return await sampleQuery(workspace, name, request, sayWaiting(context))
}
