/**
 * Renders `--help` of svc and of each command, on one screen. The documentation's page of commands is made
 * from the same data.
 */
import type { Style } from './style.ts'
import { displayWidth, padEnd, wrap } from './width.ts'

export interface ArgumentHelp {
  /** The name in the usage line: `asset_name`. */
  readonly name: string
  readonly summary: string
  readonly required?: boolean
  /** Whether it takes several values. */
  readonly variadic?: boolean
}

export interface OptionHelp {
  /** The name without dashes: `env`. */
  readonly name: string
  readonly short?: string
  /** The placeholder of the value; absent if the option takes none. */
  readonly value?: string
  /** Whether the value may be left out. */
  readonly valueOptional?: boolean
  readonly summary: string
  readonly default?: string | number
  readonly choices?: readonly string[]
  /** Whether it may be given several times; all values count. */
  readonly repeatable?: boolean
}

export interface ExampleHelp {
  readonly line: string
  readonly says: string
}

export interface CommandHelp {
  /** The words of the command: `create asset`. */
  readonly name: string
  /** A short description for lists of commands. */
  readonly brief: string
  /** One sentence with a full stop. */
  readonly summary: string
  readonly arguments: readonly ArgumentHelp[]
  readonly options: readonly OptionHelp[]
  readonly examples: readonly ExampleHelp[]
  /** The meanings of the exit codes of this command; the others are in `svc --help`. */
  readonly exitCodes: Readonly<Record<number, string>>
}

export function renderCommandHelp(command: CommandHelp, style: Style): string[] {
  return [
    ...wrap(command.summary, style.width),
    '',
    ...wrap(`${style.bold('Usage:')} svc ${usageOf(command)}`, style.width),
    ...section('Arguments', argumentRows(command), style),
    ...section('Options', optionRows(command.options), style),
    ...section(
      'Examples',
      command.examples.map(example => [example.line, example.says]),
      style,
    ),
    ...section('Exit codes', exitCodeRows(command), style),
  ]
}

/** `run [asset_selector] [options]` */
export function usageOf(command: CommandHelp): string {
  const values = command.arguments.map(argument => {
    const name = argument.variadic === true ? `${argument.name}...` : argument.name
    return argument.required ? `<${name}>` : `[${name}]`
  })
  return [command.name, ...values, '[options]'].join(' ')
}

function argumentRows(command: CommandHelp): [string, string][] {
  return command.arguments.map(argument => [argument.name, argument.summary])
}

function optionRows(options: readonly OptionHelp[]): [string, string][] {
  return options.map(option => [flagsOf(option), summaryOf(option)])
}

/** `-o, --output <path>` */
export function flagsOf(option: OptionHelp): string {
  const value =
    option.value === undefined
      ? ''
      : option.valueOptional === true
        ? ` [${option.value}]`
        : ` <${option.value}>`
  return `${option.short === undefined ? '' : `-${option.short}, `}--${option.name}${value}`
}

/** Returns the sentence with choices and default: `rows to preview (default 10)`. */
export function summaryOf(option: OptionHelp): string {
  const facts = [
    ...(option.choices === undefined ? [] : [option.choices.join(', ')]),
    ...(option.default === undefined ? [] : [`default ${option.default}`]),
  ]
  return facts.length === 0 ? option.summary : `${option.summary} (${facts.join('; ')})`
}

function exitCodeRows(command: CommandHelp): [string, string][] {
  return Object.entries(command.exitCodes).map(([code, meaning]) => [code, meaning])
}

/** Below this width, explanations are written below what they explain. */
const narrowest = 60

function section(title: string, rows: readonly (readonly [string, string])[], style: Style): string[] {
  if (rows.length === 0) return []
  if (style.width < narrowest) {
    const lines = rows.flatMap(([left, right]) => [
      `  ${left.trimEnd()}`,
      ...wrap(right, style.width - 6).map(line => `      ${line}`),
    ])
    return ['', style.bold(`${title}:`), ...lines]
  }
  const width = Math.min(34, Math.max(...rows.map(([left]) => displayWidth(left))))
  const room = Math.max(24, style.width - width - 4)
  const lines = rows.flatMap(([left, right]) => {
    const [first = '', ...rest] = wrap(right, room)
    const head =
      displayWidth(left) > width
        ? [`  ${left}`, `  ${' '.repeat(width)}  ${first}`]
        : [`  ${padEnd(left, width)}  ${first}`]
    return [...head, ...rest.map(line => ' '.repeat(width + 4) + line)]
  })
  return ['', style.bold(`${title}:`), ...lines]
}

export interface OverviewSection {
  readonly title: string
  readonly commands: readonly CommandHelp[]
}

/**
 * Renders `svc --help`: a description, the commands by section, and the exit codes. `group`: the commands that are in a group
 * too, with their names there. `pages`: the folder of the documentation, where it came along.
 */
export function renderOverview(
  sections: readonly OverviewSection[],
  style: Style,
  group: readonly CommandHelp[] = [],
  pages?: string,
): string[] {
  const lines = [
    ...wrap(
      'One .svc file per data asset: validated, planned, built beside production, tested there, promoted in one step, rolled back at once.',
      style.width,
    ),
    '',
    `${style.bold('Usage:')} svc <command> [options]`,
  ]
  const widest = Math.max(...sections.flatMap(each => each.commands.map(command => command.name.length)))
  for (const { title, commands } of sections) {
    const rows = commands.map(command => [padEnd(command.name, widest), command.brief] as const)
    lines.push(...section(title, rows, style))
  }
  const codes = [
    '0 done',
    '1 check or test failed',
    '2 wrong usage',
    '3 something outside the project failed',
    '70 bug',
    '130 interrupted',
  ]
  if (group.length > 0) {
    const names = group.map(({ name }) => `svc ${name}`)
    lines.push('', ...wrap(`The same in a group: ${names.join(', ')}.`, style.width))
  }
  lines.push('', ...wrap(`${style.bold('Exit codes:')} ${codes.join(', ')}`, style.width))
  const more = 'svc <command> --help shows arguments, options and examples; svc --version the version.'
  lines.push(...wrap(more, style.width))
  const explained = 'svc explain <key or code> shows a page of the reference, without a network'
  const read = pages === undefined ? '' : `; all pages are in ${pages}`
  lines.push('', ...wrap(`${style.bold('Documentation:')} ${explained}${read}.`, style.width))
  return lines
}

/** Renders `svc asset --help`: the commands of a group. */
export function renderGroup(commands: readonly CommandHelp[], style: Style): string[] {
  const rows = commands.map(command => [command.name, command.brief] as const)
  return [...section('Commands', rows, style).slice(1), '', 'svc <command> --help shows each of them.']
}
