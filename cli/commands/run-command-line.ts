/**
 * Turns the words of a command line into an exit code: finds the command, runs it and prints its result
 * (decisions 3).
 */
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { JsonOf } from '@svc/server/contract'
import { redact, usualEnvironment } from '@svc/server/language'
import { findProjectOrNothing } from '../engine/config/find-project.ts'
import { SvcError, systemFailure } from '../engine/errors.ts'
import { memoryFailure } from '../engine/memory-failure.ts'
import type { LogSql } from '../engine/workspace/logged-warehouse.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import { replaceSecrets, secretsOf } from '../engine/workspace/secrets.ts'
import type { World } from '../engine/workspace/workspace.ts'
import { renderBug, renderCauses, renderError } from '../render/error.ts'
import { renderCommandHelp, renderGroup, renderOverview } from '../render/help.ts'
import { type Channel, createOutput, type Output, type Sink } from '../render/output.ts'
import { logLines } from '../render/run-report.ts'
import { withAllProblems } from './all-problems.ts'
import { type Command, type CommandContext, globalOptions, type Report, type Trace } from './command.ts'
import { findRequest, type Request } from './find-command.ts'
import { assetGroup, commandSections } from './index.ts'
import { type Options, parseLine } from './options.ts'
import { renewCommand } from './renew-files.ts'

export interface Surroundings {
  /** The version of svc. */
  readonly version: string
  readonly world: World
  readonly signal: AbortSignal
  readonly out: Sink
  readonly err: Sink
  /** Calls back with an error that no caller waited for, as a package may cause; absent: nothing listens for them. */
  readonly onStrayError?: (report: (error: unknown) => number) => void
  /** Told of every project that the command opens, before the command sees it. */
  readonly onOpen?: (workspace: OpenedWorkspace) => Promise<void>
  /** See `WorkspaceOptions.isOnlyInside`; it holds for files that a command reads without opening the project, too. */
  readonly isOnlyInside?: boolean
}

export const exitInterrupted = 130
export const exitBug = 70

/** Never throws. */
export async function runCommandLine(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const secrets = new Set<string>()
  const output = createOutput({
    out: surroundings.out,
    err: surroundings.err,
    env: surroundings.world.env,
    noColor: words.includes('--no-color'),
    redactData: text => replaceSecrets(text, secrets),
    redactMessage: text => redact(text, [...secrets]),
  })
  const trace: Trace = { root: undefined, onStatement: undefined, runId: undefined, log: undefined }
  const report = (error: unknown) =>
    reportError(memoryFailure(error) ?? error, words, surroundings, output, trace)
  surroundings.onStrayError?.(report)
  try {
    if (words[0] === completionWord) return await printCompletions(words.slice(1), surroundings, output)
    if (words[0] === renewCommand.name)
      return await runCommand(renewCommand, words.slice(1), { surroundings, output, secrets, trace })
    const request = findRequest(words)
    if (request.kind !== 'run') return printHelp(request, output)
    return await runCommand(request.command, request.words, { surroundings, output, secrets, trace })
  } catch (error) {
    return report(error)
  }
}

/** The scripts of `svc completion` call this command, which is in no help. */
const completionWord = '__complete'

async function printCompletions(
  words: readonly string[],
  { world }: Surroundings,
  { out }: Output,
): Promise<number> {
  const { complete } = await import('./complete.ts')
  const { completionFacts } = await import('../engine/workspace/completion-facts.ts')
  const unfinished = words[0] === '--' ? words.slice(1) : words
  const candidates = complete(unfinished, completionFacts(world.cwd))
  out.raw(candidates.map(({ value, says }) => `${value}\t${says}\n`).join(''))
  return 0
}

function printHelp(request: Exclude<Request, { kind: 'run' }>, { out }: Output): number {
  if (request.kind === 'overview')
    out.lines(renderOverview(commandSections, out.style, assetGroup, pagesBeside(process.argv[1])))
  else if (request.kind === 'group') out.lines(renderGroup(request.commands, out.style))
  else {
    const { command } = request
    out.lines(renderCommandHelp({ ...command, options: [...command.options, ...globalOptions] }, out.style))
  }
  return 0
}

/** Returns the folder of the documentation, which the package brings beside the launcher. */
function pagesBeside(program: string | undefined): string | undefined {
  if (program === undefined || !existsSync(program)) return undefined
  const folder = dirname(realpathSync(program))
  const places = [join(folder, '..', 'docs'), join(folder, '..', '..', 'docs')]
  return places.find(place => existsSync(join(place, 'getting-started.md')))
}

interface Invocation {
  readonly surroundings: Surroundings
  readonly output: Output
  /** Filled as soon as a project is open; output after that does not contain them. */
  readonly secrets: Set<string>
  readonly trace: Trace
}

async function runCommand(
  command: Command,
  words: readonly string[],
  invocation: Invocation,
): Promise<number> {
  const { values, options } = parseLine(command, words)
  refuseTwoFormats(options)
  const opened: OpenedWorkspace[] = []
  await undoCutPatch(invocation)
  await refuseLinks(invocation)
  const context = contextOf(values, options, opened, invocation)
  try {
    const format = options.has('csv') && options.flag('csv') ? 'csv' : wantsJson(words) ? 'json' : 'text'
    return print(await command.run(context), format, invocation.output)
  } catch (error) {
    if (error instanceof SvcError) error.inEnvironment(environmentOf(options))
    const selected = options.has('select') ? [...options.texts('select'), ...options.texts('exclude')] : []
    throw await withAllProblems(error, opened[0], [...values, ...selected], invocation.output)
  } finally {
    for (const workspace of opened) await workspace.close()
  }
}

async function refuseLinks({ surroundings: { world, isOnlyInside } }: Invocation): Promise<void> {
  const root = isOnlyInside === true ? findProjectOrNothing(world.cwd) : undefined
  if (root === undefined) return
  const { refuseOutside } = await import('../engine/workspace/inside-only.ts')
  refuseOutside(root)
}

/** A patch whose writing was killed is undone by whatever command comes next. */
async function undoCutPatch({ surroundings: { world }, output }: Invocation): Promise<void> {
  const root = findProjectOrNothing(world.cwd)
  if (root === undefined || !existsSync(join(root, '.svc', 'patch'))) return
  const { recoverPatch } = await import('../engine/ai/patch/journal.ts')
  const files = recoverPatch(root, world)
  if (files.length > 0) output.err.lines([`A patch was cut short; as before: ${files.join(', ')}`])
}

function contextOf(
  values: readonly string[],
  options: Options,
  opened: OpenedWorkspace[],
  { surroundings, output, secrets, trace }: Invocation,
): CommandContext {
  const { version, world, signal, onOpen, isOnlyInside = false } = surroundings
  return {
    arguments: values,
    rest: values,
    options,
    version,
    world,
    signal,
    output,
    trace,
    async openWorkspace(workspaceOptions = {}) {
      const { openWorkspace } = await import('../engine/workspace/open-workspace.ts')
      const environment = environmentOf(options)
      // Only commands that show progress log statements.
      const logSql: LogSql = statement => trace.onStatement?.(statement)
      const logging = options.has('log-format') || options.has('debug') ? { logSql } : {}
      const basics = { world, environment, signal, isOnlyInside }
      const workspace = await openWorkspace({ ...basics, ...logging, ...workspaceOptions })
      opened.push(workspace)
      trace.root = workspace.root
      for (const secret of secretsOf(workspace)) secrets.add(secret)
      await onOpen?.(workspace)
      return workspace
    },
  }
}

function environmentOf(options: Options): string {
  const given = options.has('env') ? options.text('env') : undefined
  return given ?? usualEnvironment
}

/** Events and a report on the same stream could not be parsed. */
function refuseTwoFormats(options: Options): void {
  if (options.has('csv') && options.flag('csv') && options.flag('json')) {
    throw new SvcError('wrong-usage', '--csv cannot be combined with --json', {
      hint: 'Leave one of them out.',
    })
  }
  const both = options.has('log-format') && options.text('log-format') === 'json' && options.flag('json')
  if (!both) return
  throw new SvcError('wrong-usage', '--json cannot be combined with --log-format json', {
    hint: 'The last event holds the outcome: leave out --json.',
  })
}

function print(report: Report, format: 'text' | 'json' | 'csv', { out }: Output): number {
  const json = format === 'json' ? report.json : undefined
  if (json !== undefined) out.raw(`${JSON.stringify(json, undefined, 2)}\n`)
  else if (format === 'csv' && report.csv !== undefined) printCsv(report.csv, out)
  else out.lines(report.text(out.style))
  return report.exitCode
}

/** A program gets the values as they are, a terminal none that would steer it. */
function printCsv(text: string, out: Channel): void {
  if (out.isTerminal) out.lines(text.trimEnd().split('\r\n'))
  else out.raw(text)
}

function wantsJson(words: readonly string[]): boolean {
  return words.includes('--json') || isJson(words, '--format')
}

function isJson(words: readonly string[], option: string): boolean {
  const at = words.indexOf(option)
  return words.includes(`${option}=json`) || (at >= 0 && words[at + 1] === 'json')
}

function reportError(
  thrown: unknown,
  words: readonly string[],
  surroundings: Surroundings,
  output: Output,
  trace: Trace,
): number {
  const error = systemFailure(thrown) ?? thrown
  const told = error instanceof SvcError && error.code === 'interrupted'
  const { err } = output
  if (surroundings.signal.aborted && !told) {
    err.lines(['Interrupted.'])
    return exitInterrupted
  }
  if (!(error instanceof SvcError)) {
    err.lines(renderBug(error, err.style))
    return exitBug
  }
  if (wantsJson(words)) output.out.raw(`${JSON.stringify({ error: errorFacts(error) }, undefined, 2)}\n`)
  if (isJson(words, '--log-format'))
    output.out.raw(`${JSON.stringify(errorEvent(error, surroundings, trace))}\n`)
  err.lines(renderError(error, err.style))
  if (words.includes('--debug')) err.lines(renderCauses(error, err.style))
  if (trace.log !== undefined) err.lines(logLines(trace.runId ?? '', trace.log, err.style))
  return error.exitCode
}

/** Returns the last event of a command that stops with an error. */
function errorEvent(error: SvcError, { world }: Surroundings, { runId }: Trace): unknown {
  return { at: world.now().toISOString(), run_id: runId ?? null, type: 'error', ...errorFacts(error) }
}

function errorFacts(error: SvcError): JsonOf<'error'>['error'] {
  const { code, message, hint = null, asset = null, place = null, facts } = error
  return { code, message, hint, asset, place, ...(facts !== undefined && { facts }) }
}
