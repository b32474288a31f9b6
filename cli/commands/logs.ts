/** `svc logs [run]`: shows the log of a run from .svc/logs. */
import { didYouMean } from '@svc/server/language'
import { findProject } from '../engine/config/find-project.ts'
import { SvcError } from '../engine/errors.ts'
import { type LogFile, listLogs, readLog } from '../engine/log/log-files.ts'
import { endingOf, killedAmong, summarizeLogs } from '../engine/log/log-summary.ts'
import { logListJson, logTextJson, renderLog, renderLogList } from '../render/logs.ts'
import { type Command, type CommandContext, debugOption, jsonOption, type Report } from './command.ts'

export const logsCommand: Command = {
  name: 'logs',
  brief: 'what a run did',
  summary: 'Print the log of a run: its events, with --debug every statement, request and decision.',
  arguments: [{ name: 'run', summary: 'id of the run; the last one by default' }],
  options: [
    { name: 'list', summary: 'which logs are kept: the newest 50, at most 100 MB' },
    debugOption,
    jsonOption,
  ],
  examples: [
    { line: 'svc logs', says: 'the last run, preview, promotion or rollback' },
    { line: 'svc logs 5h1t8zkq2m --debug', says: 'one run with all its SQL' },
  ],
  exitCodes: { 0: 'done', 2: 'wrong usage, no project or unknown run' },
  async run(context) {
    const root = findProject(context.world.cwd)
    return context.options.flag('list') ? list(root, context) : one(root, listLogs(root), context)
  },
}

function list(root: string, { world }: CommandContext): Report {
  const logs = summarizeLogs(root)
  const killed = killedAmong(logs)
  const kept = logs.map(log => ({ ...log, ending: endingOf(log, killed) }))
  return {
    exitCode: 0,
    text: style => renderLogList(kept, world.now(), style),
    json: logListJson(kept, world.now()),
  }
}

function one(root: string, logs: readonly LogFile[], context: CommandContext): Report {
  const given = context.arguments[0]
  const runId = given ?? logs[0]?.runId
  const text = runId === undefined ? undefined : readLog(root, runId)
  if (runId === undefined || text === undefined) throw unknown(given, logs)
  const debug = context.options.flag('debug')
  return {
    exitCode: 0,
    text: style => renderLog(text, debug, style),
    json: logTextJson(runId, text, debug),
  }
}

function unknown(given: string | undefined, logs: readonly LogFile[]): SvcError {
  if (given === undefined) {
    return new SvcError('unknown-run', 'no run has left a log here yet', {
      hint: 'Every run, preview, promotion and rollback keeps one.',
    })
  }
  const question = didYouMean(
    given,
    logs.map(({ runId }) => runId),
  )
  return new SvcError('unknown-run', `there is no log of a run "${given}"${question}`, {
    hint: 'svc logs --list shows those that are kept.',
  })
}
