/** What a command is: a description (help, parsing and documentation come from it) and a function. */
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

/** What a command hands back; `main` prints it. */
export interface Report {
  readonly exitCode: number
  /** For stdout. */
  readonly text: (style: Style) => readonly string[]
  /** For stdout with `--json`, in the published schema of the command. Best a getter: most are never asked for it. */
  readonly json?: unknown
}

/** What the parts of one command have to know of each other to keep a log; filled as it goes. */
export interface Trace {
  /** Of the project that was opened. */
  root: string | undefined
  /** Told every statement that the warehouse is given. */
  onStatement: LogSql | undefined
  /** Of the run that the command began. */
  runId: string | undefined
  /** Its log, relative to the root; undefined where none was written. */
  log: string | undefined
}

export interface CommandContext {
  /** By position; missing optional ones are undefined. */
  readonly arguments: readonly (string | undefined)[]
  /** Values of a variadic argument. */
  readonly rest: readonly string[]
  readonly options: Options
  /** Of svc itself. */
  readonly version: string
  readonly world: World
  readonly signal: AbortSignal
  readonly output: Output
  readonly trace: Trace
  /** Opened for `--env`, closed by `main`. */
  openWorkspace(options?: Pick<WorkspaceOptions, 'readSources'>): Promise<OpenedWorkspace>
}

export const environmentOption: OptionHelp = {
  name: 'env',
  value: 'name',
  summary: 'target environment',
  default: 'dev',
}
export const jsonOption: OptionHelp = { name: 'json', summary: 'print JSON (svc schema shows its schema)' }
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

/** Known to every command. */
export const globalOptions: readonly OptionHelp[] = [
  { name: 'no-color', summary: 'no colours, as NO_COLOR=1' },
  { name: 'help', short: 'h', summary: 'show this help' },
]

/** Meanings that hold for every command that reads a project. */
export const usualExitCodes = {
  0: 'done',
  2: 'wrong usage or no project',
  3: 'warehouse, network or file failed',
}
