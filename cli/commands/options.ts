/**
 * Parses options and arguments of one command line. Wrong usage is SvcError `wrong-usage` with the nearest
 * right name.
 */
import { didYouMean, nearestNames } from '@svc/server/language'
import { CommanderError, Command as Parser } from 'commander'
import { SvcError } from '../engine/errors.ts'
import { flagsOf, type OptionHelp } from '../render/help.ts'
import { type Command, globalOptions } from './command.ts'

/** Typed access to the given options, by the name in the command's description. */
export interface Options {
  /** Returns whether the command has an option of that name. */
  has(name: string): boolean
  flag(name: string): boolean
  /** Returns the value, or the default if the option has one. */
  text(name: string): string | undefined
  /** Returns every value of a repeatable option, in the given order. */
  texts(name: string): readonly string[]
  /** Returns a whole number from 1 on. */
  count(name: string): number | undefined
}

export interface ParsedLine {
  readonly values: readonly string[]
  readonly options: Options
}

export function parseLine(command: Command, words: readonly string[]): ParsedLine {
  const parser = new Parser(command.name)
  parser.exitOverride().helpOption(false).allowExcessArguments(true).showSuggestionAfterError(false)
  parser.configureOutput({ writeOut: () => {}, writeErr: () => {} })
  parser.argument('[values...]')
  const options = [...command.options, ...globalOptions]
  for (const option of options) {
    if (option.repeatable === true) parser.option(flagsOf(option), option.summary, append)
    else parser.option(flagsOf(option), option.summary)
  }
  try {
    parser.parse([...words], { from: 'user' })
  } catch (error) {
    throw error instanceof CommanderError ? wrongUsage(error, command, options) : error
  }
  refuseEmptyValues(command, options, parser.opts())
  refuseCount(command, parser.args)
  refuseChoices(options, parser.opts())
  return { values: parser.args, options: readOptions(options, parser.opts()) }
}

function append(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value]
}

function wrongUsage(error: CommanderError, command: Command, options: readonly OptionHelp[]): SvcError {
  const named = /'([^']*)'/.exec(error.message)?.[1] ?? ''
  const hint = optionsHint(command)
  if (error.code === 'commander.unknownOption') {
    const flag = options.find(option => option.value === undefined && named.startsWith(`--${option.name}=`))
    if (flag !== undefined) {
      return new SvcError('wrong-usage', `the option "--${flag.name}" takes no value`, { hint })
    }
    const names = options.map(option => option.name)
    const [near] = nearestNames(named.replace(/^-+/, '').replace(/=.*$/s, ''), names)
    const question = near === undefined ? '' : `; did you mean "--${near}"?`
    return new SvcError('wrong-usage', `svc ${command.name} has no option "${named}"${question}`, { hint })
  }
  if (error.code === 'commander.optionMissingArgument') {
    return needsValue(/--([a-zA-Z-]+)/.exec(named)?.[1] ?? named, command)
  }
  return new SvcError('wrong-usage', error.message.replace(/^error: /, ''), { hint })
}

function optionsHint(command: Command): string {
  return `svc ${command.name} --help lists the options.`
}

function needsValue(name: string, command: Command): SvcError {
  return new SvcError('wrong-usage', `the option "--${name}" needs a value`, { hint: optionsHint(command) })
}

/** Refuses values that name nothing: `--env --json` and `--env ""` (an empty variable of a script). */
function refuseEmptyValues(
  command: Command,
  options: readonly OptionHelp[],
  given: Readonly<Record<string, unknown>>,
): void {
  for (const { name } of options) {
    for (const value of [given[camelCase(name)]].flat()) {
      if (typeof value !== 'string') continue
      if (value.trim() === '' || options.some(option => value === `--${option.name}`)) {
        throw needsValue(name, command)
      }
    }
  }
}

function refuseCount(command: Command, values: readonly string[]): void {
  const hint = `svc ${command.name} --help shows how it is used.`
  const missing = command.arguments.find(
    (argument, index) => argument.required && values[index] === undefined,
  )
  if (missing !== undefined) {
    throw new SvcError('wrong-usage', `svc ${command.name} needs <${missing.name}>: ${missing.summary}`, {
      hint,
    })
  }
  const takesMore = command.arguments.some(argument => argument.variadic === true)
  const extra = values[command.arguments.length]
  if (extra !== undefined && !takesMore) {
    throw new SvcError('wrong-usage', `svc ${command.name} does not know what to do with "${extra}"`, {
      hint,
    })
  }
}

function refuseChoices(options: readonly OptionHelp[], given: Readonly<Record<string, unknown>>): void {
  for (const option of options) {
    const value = given[camelCase(option.name)]
    if (option.choices === undefined || typeof value !== 'string' || option.choices.includes(value)) continue
    const question = didYouMean(value, option.choices)
    throw new SvcError('wrong-usage', `--${option.name} cannot be "${value}"${question}`, {
      hint: `It is one of ${option.choices.join(', ')}.`,
    })
  }
}

function readOptions(known: readonly OptionHelp[], given: Readonly<Record<string, unknown>>): Options {
  const find = (name: string): OptionHelp => {
    const option = known.find(each => each.name === name)
    if (option === undefined) throw new Error(`the command describes no option --${name}`)
    return option
  }
  const text = (name: string): string | undefined => {
    const option = find(name)
    const value = given[camelCase(name)]
    if (typeof value === 'string') return value
    return option.default === undefined ? undefined : String(option.default)
  }
  return {
    has: name => known.some(option => option.name === name),
    text,
    texts: name => {
      find(name)
      const values = given[camelCase(name)]
      return Array.isArray(values) ? values.map(String) : []
    },
    flag: name => {
      find(name)
      return name.startsWith('no-')
        ? given[camelCase(name.slice(3))] === false
        : given[camelCase(name)] === true
    },
    count: name => {
      const value = text(name)
      if (value === undefined) return undefined
      if (/^[1-9][0-9]{0,14}$/.test(value)) return Number(value)
      throw new SvcError('wrong-usage', `--${name} takes a whole number from 1 on, not "${value}"`)
    },
  }
}

function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
