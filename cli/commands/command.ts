/** A command is a description, from which help, parsing and documentation are derived, and a function. */
import type { LogSql } from '../engine/workspace/logged-warehouse.ts'
import type { OpenedWorkspace, WorkspaceOptions } from '../engine/workspace/open-workspace.ts'
import type { World } from '../engine/workspace/workspace.ts'
import type { CommandHelp, OptionHelp } from '../render/help.ts'
import type { Output } from '../render/output.ts'
import type { Style } from '../render/style.ts'
import type { Options } from './options.ts'

export interface Command extends CommandHelp {
  run(context: CommandContext): Promise<Report>
}

/** The result of a command, which `main` prints. */
export interface Report {
  readonly exitCode: number
  /** Returns the lines for stdout. */
  readonly text: (style: Style) => readonly string[]
  /**
   * The value for stdout with `--json`, in the published schema of the command. Implement it as a getter if
   * it is expensive: most calls do not need it.
   */
  readonly json?: unknown
  /** The text for stdout with `--csv`. */
  readonly csv?: string
}

/** Returns the report of a value; its JSON is made only where it is printed. */
export function reportOf<T>(
  value: T,
  render: (value: T, style: Style) => readonly string[],
  toJson: (value: T) => unknown,
  exitCode = 0,
): Report {
  return {
    exitCode,
    text: style => render(value, style),
    get json() {
      return toJson(value)
    },
  }
}

/** The facts that the parts of a command share to keep a log; they are filled in while it runs. */
export interface Trace {
  /** The root of the opened project. */
  root: string | undefined
  /** Called with every SQL statement that the warehouse runs. */
  onStatement: LogSql | undefined
  /** The id of the run that the command started. */
  runId: string | undefined
  /** The path of the log, relative to the root; undefined if none was written. */
  log: string | undefined
}

export interface CommandContext {
  /** The arguments by position; missing optional ones are undefined. */
  readonly arguments: readonly (string | undefined)[]
  /** The values of a variadic argument. */
  readonly rest: readonly string[]
  readonly options: Options
  /** The version of svc. */
  readonly version: string
  readonly world: World
  readonly signal: AbortSignal
  readonly output: Output
  readonly trace: Trace
  /** Opens the workspace for `--env`, or for another environment; `main` closes it. */
  openWorkspace(
    options?: Partial<
      Pick<WorkspaceOptions, 'environment' | 'readSources' | 'opensWarehouse' | 'vars' | 'isOnlyInside'>
    >,
  ): Promise<OpenedWorkspace>
}

export const environmentOption: OptionHelp = {
  name: 'env',
  value: 'name',
  summary: 'target environment',
  default: 'dev',
}
export const jsonOption: OptionHelp = { name: 'json', summary: 'print JSON (svc schema shows its schema)' }
export const csvOption: OptionHelp = { name: 'csv', summary: 'print CSV, with all columns and whole values' }
export const logFormatOption: OptionHelp = {
  name: 'log-format',
  value: 'format',
  summary: 'how progress is printed; json: one event a line, on stdout',
  choices: ['text', 'json'],
  default: 'text',
}

export const debugOption: OptionHelp = {
  name: 'debug',
  summary: 'show every statement, request and decision',
}

/** How a command that runs something tells of it. */
export const tellingOptions: readonly OptionHelp[] = [debugOption, logFormatOption, jsonOption]

/** Options of every command. */
export const globalOptions: readonly OptionHelp[] = [
  { name: 'no-color', summary: 'no colours, as NO_COLOR=1' },
  { name: 'help', short: 'h', summary: 'show this help' },
]

/** The exit codes of every command that reads a project. */
export const usualExitCodes = {
  0: 'done',
  2: 'wrong usage or no project',
  3: 'warehouse, network or file failed',
}
