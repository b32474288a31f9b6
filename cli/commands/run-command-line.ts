/** From the words of a command line to an exit code: finds the command, parses, runs, prints (decisions 3). */
import { redact } from '@svc/server/language'
import { defaultEnvironment } from '../engine/config/environment.ts'
import { SvcError } from '../engine/errors.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import type { World } from '../engine/workspace/workspace.ts'
import { renderBug, renderError } from '../render/error.ts'
import { renderCommandHelp, renderOverview } from '../render/help.ts'
import { createOutput, type Output, type Sink } from '../render/output.ts'
import { withAllProblems } from './all-problems.ts'
import type { Command, CommandContext, Report } from './command.ts'
import { globalOptions } from './command.ts'
import { allCommands, commandSections } from './index.ts'
import { nearest, type Options, parseLine } from './options.ts'
import { replaceAll, secretsOf } from './secrets.ts'

export interface Surroundings {
  /** Of svc itself. */
  readonly version: string
  readonly world: World
  readonly signal: AbortSignal
  readonly out: Sink
  readonly err: Sink
}

export const exitInterrupted = 130
export const exitBug = 70

/** Never throws. */
export async function runCommandLine(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const noColor = words.includes('--no-color')
  const secrets = new Set<string>()
  const output = createOutput({
    out: surroundings.out,
    err: surroundings.err,
    env: surroundings.world.env,
    noColor,
    redactData: text => replaceAll(text, secrets),
    redactMessage: text => redact(text, [...secrets]),
  })
  try {
    return await dispatch(words, surroundings, output, secrets)
  } catch (error) {
    return reportError(error, words, surroundings, output)
  }
}

async function dispatch(
  words: readonly string[],
  surroundings: Surroundings,
  output: Output,
  secrets: Set<string>,
): Promise<number> {
  const { command, rest } = findCommand(words.filter((word, index) => !isLeadingGlobal(words, word, index)))
  if (command === undefined) {
    output.out.lines(renderOverview(commandSections, output.out.style))
    return 0
  }
  if (asksForHelp(rest)) {
    output.out.lines(renderCommandHelp(withGlobalOptions(command), output.out.style))
    return 0
  }
  const { values, options } = parseLine(command, rest)
  refuseTwoFormats(options)
  const opened: OpenedWorkspace[] = []
  const context: CommandContext = {
    arguments: values,
    rest: values,
    options,
    version: surroundings.version,
    world: surroundings.world,
    signal: surroundings.signal,
    output,
    async openWorkspace(workspaceOptions = {}) {
      const { openWorkspace } = await import('../engine/workspace/open-workspace.ts')
      const workspace = await openWorkspace({
        world: surroundings.world,
        environment: options.has('env') ? (options.text('env') ?? defaultEnvironment) : defaultEnvironment,
        signal: surroundings.signal,
        ...workspaceOptions,
      })
      opened.push(workspace)
      for (const secret of secretsOf(workspace)) secrets.add(secret)
      return workspace
    },
  }
  try {
    return print(await command.run(context), wantsJson(words), output)
  } catch (error) {
    throw await withAllProblems(error, opened[0], values, output)
  } finally {
    for (const workspace of opened) await workspace.close()
  }
}

/** Events and a report on one stream would be neither. */
function refuseTwoFormats(options: Options): void {
  const both = options.has('log-format') && options.text('log-format') === 'json' && options.flag('json')
  if (!both) return
  throw new SvcError('wrong-usage', '--json cannot be combined with --log-format json', {
    hint: 'The last event holds the outcome: leave out --json.',
  })
}

function print(report: Report, json: boolean, output: Output): number {
  if (json && report.json !== undefined) output.out.raw(`${JSON.stringify(report.json, undefined, 2)}\n`)
  else output.out.lines(report.text(output.out.style))
  return report.exitCode
}

function wantsJson(words: readonly string[]): boolean {
  const format = words.indexOf('--format')
  return (
    words.includes('--json') ||
    words.includes('--format=json') ||
    (format >= 0 && words[format + 1] === 'json')
  )
}

/** Options that may stand before the command: `svc --no-color run`. */
function isLeadingGlobal(words: readonly string[], word: string, index: number): boolean {
  return word === '--no-color' && words.slice(0, index).every(before => before.startsWith('-'))
}

function asksForHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--')
  return words.slice(0, end === -1 ? undefined : end).some(word => word === '--help' || word === '-h')
}

function withGlobalOptions(command: Command): Command {
  return { ...command, options: [...command.options, ...globalOptions] }
}

interface Found {
  readonly command: Command | undefined
  readonly rest: readonly string[]
}

/** The longest name that the words begin with. No words, `help` and `--help` alone: no command. */
function findCommand(words: readonly string[]): Found {
  const [first, second] = words
  if (first === undefined || first === '--help' || first === '-h') return { command: undefined, rest: [] }
  if (first === 'help')
    return second === undefined ? { command: undefined, rest: [] } : helpFor(words.slice(1))
  const two = allCommands.find(command => command.name === `${first} ${second}`)
  if (two !== undefined) return { command: two, rest: words.slice(2) }
  const one = allCommands.find(command => command.name === first)
  if (one !== undefined) return { command: one, rest: words.slice(1) }
  throw unknownCommand(first, second)
}

function helpFor(words: readonly string[]): Found {
  const { command } = findCommand(words)
  return { command, rest: ['--help'] }
}

function unknownCommand(first: string, second: string | undefined): SvcError {
  const group = allCommands.filter(command => command.name.startsWith(`${first} `))
  if (group.length > 0) {
    const given =
      second === undefined || second.startsWith('-') ? 'needs one more word' : `has no command "${second}"`
    const names = group.map(command => command.name.slice(first.length + 1))
    return new SvcError('wrong-usage', `svc ${first} ${given}`, {
      hint: `It is one of: ${names.join(', ')}.`,
    })
  }
  const near = nearest(
    first,
    allCommands.map(command => command.name),
  )
  const question = near === undefined ? '' : `; did you mean "${near}"?`
  return new SvcError('wrong-usage', `svc has no command "${first}"${question}`, {
    hint: 'svc --help lists all commands.',
  })
}

function reportError(
  error: unknown,
  words: readonly string[],
  surroundings: Surroundings,
  output: Output,
): number {
  const told = error instanceof SvcError && error.code === 'interrupted'
  if (surroundings.signal.aborted && !told) {
    output.err.lines(['Interrupted.'])
    return exitInterrupted
  }
  if (!(error instanceof SvcError)) {
    output.err.lines(renderBug(error, output.err.style))
    return exitBug
  }
  if (wantsJson(words)) output.out.raw(`${JSON.stringify(errorJson(error), undefined, 2)}\n`)
  output.err.lines(renderError(error, output.err.style))
  return error.exitCode
}

function errorJson(error: SvcError): unknown {
  return {
    error: {
      code: error.code,
      message: error.message,
      hint: error.hint ?? null,
      asset: error.asset ?? null,
      place: error.place ?? null,
    },
  }
}
