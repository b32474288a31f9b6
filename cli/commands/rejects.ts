/** `svc rejects [asset]`: shows what contracts rejected, and loads it again (decisions 1 and 3). */
import { SvcError } from '../engine/errors.ts'
import { publishRejectsCsv, publishRejectsJson, renderPublishRejects } from '../render/publish-rejects.ts'
import { type RejectsReport, rejectsCsv, rejectsJson, renderRejects } from '../render/rejects.ts'
import {
  type Command,
  type CommandContext,
  csvOption,
  environmentOption,
  jsonOption,
  logFormatOption,
  type Report,
  reportOf,
} from './command.ts'
import { withNearestName } from './nearest-asset.ts'
import { runResult } from './run-options.ts'
import { runToItsEnd } from './run-to-its-end.ts'
import { sayWaiting } from './say-waiting.ts'

export const rejectsCommand: Command = {
  name: 'rejects',
  brief: 'records and values that contracts rejected',
  summary: 'Show what contracts rejected, or load it again; with --to what a destination did not take.',
  arguments: [{ name: 'asset_name', summary: 'name of the asset; all without one' }],
  options: [
    { name: 'run', value: 'id', summary: 'of this run instead of what is live' },
    { name: 'limit', value: 'number', summary: 'how many to show', default: 20 },
    { name: 'to', value: 'destination', summary: 'rows that it did not take in the last publish' },
    { name: 'replay', summary: 'run the asset and what reads it again, with the contract as it is now' },
    environmentOption,
    logFormatOption,
    csvOption,
    jsonOption,
  ],
  examples: [
    { line: 'svc rejects orders --limit 3', says: 'the first three, with reason and raw record' },
    { line: 'svc rejects orders --replay', says: 'after the contract was fixed' },
  ],
  exitCodes: {
    0: 'done',
    1: 'with --replay: an asset or a test failed',
    2: 'wrong usage, no project or unknown asset',
    3: 'warehouse, network or file failed',
  },
  run(context) {
    const target = context.options.text('to')
    if (target !== undefined) return showUntaken(context, target)
    return context.options.flag('replay') ? replay(context) : show(context)
  },
}

async function show(context: CommandContext): Promise<Report> {
  const { options } = context
  const asset = context.arguments[0]
  const request = { asset, runId: options.text('run'), limit: options.count('limit') ?? 20 }
  const workspace = await context.openWorkspace()
  const { readRejects } = await import('../engine/run/read-rejects.ts')
  const result = await withNearestName(workspace, asset ?? '', () =>
    readRejects(workspace, request, sayWaiting(context)),
  )
  const { runId } = request
  const report: RejectsReport = { environment: workspace.environment.name, asset, runId, ...result }
  return { ...reportOf(report, renderRejects, rejectsJson), csv: rejectsCsv(report) }
}

async function showUntaken(context: CommandContext, target: string): Promise<Report> {
  const { options, arguments: words } = context
  if (options.flag('replay') || options.text('run') !== undefined) {
    throw new SvcError('wrong-usage', '--to cannot be combined with --replay or --run', {
      hint: svc =>
        `What a destination did not take is sent again by ${svc(`publish ${words[0] ?? '<asset_name>'} --to ${target}`)}.`,
    })
  }
  const workspace = await context.openWorkspace()
  const { readPublishRejects } = await import('../engine/publish/read-publish-rejects.ts')
  const request = { asset: words[0], target, limit: options.count('limit') ?? 20 }
  const found = await readPublishRejects(workspace, request, sayWaiting(context))
  const report = { environment: workspace.environment.name, target, ...found }
  return { ...reportOf(report, renderPublishRejects, publishRejectsJson), csv: publishRejectsCsv(report) }
}

/** A replay is an ordinary run, because every run fetches the complete source. */
async function replay(context: CommandContext): Promise<Report> {
  const asset = context.arguments[0]
  if (context.options.flag('csv')) {
    throw new SvcError('wrong-usage', '--csv cannot be combined with --replay', {
      hint: 'It shows rejects; a replay is a run: leave one of them out.',
    })
  }
  if (asset === undefined || context.options.text('run') !== undefined) {
    const message = '--replay needs the name of an asset, and cannot be combined with --run'
    throw new SvcError('wrong-usage', message, {
      hint: svc => `Write ${svc(`rejects ${asset ?? '<asset_name>'} --replay`)}.`,
    })
  }
  const workspace = await context.openWorkspace({ opensWarehouse: true })
  workspace.asset(asset)
  const request = { kind: 'run' as const, selector: `${asset}+`, noIngest: false, allTests: false }
  const { report, problem } = await runToItsEnd(context, workspace, request)
  return runResult(report, problem, workspace, context)
}
