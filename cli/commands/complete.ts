/**
 * Returns the completions of an unfinished command line, for `svc completion`. It never prints and never
 * fails: an invalid line has no completions.
 */
import { outputSchemas } from '@svc/server/contract'
import {
  diagnosticCodes,
  keyPaths,
  materializeKinds,
  selectorMethods,
  sourceKinds,
} from '@svc/server/language'
import { errorCodes } from '../engine/errors.ts'
import type { CompletionFacts } from '../engine/workspace/completion-facts.ts'
import type { OptionHelp } from '../render/help.ts'
import { type Command, globalOptions } from './command.ts'
import { allCommands, commandSections } from './index.ts'

export interface Candidate {
  readonly value: string
  readonly says: string
}

/** Tells the shell to complete file names itself. */
export const filesCandidate: Candidate = { value: ':files', says: '' }

/** Completes `words` without `svc`; the last one is being typed and may be empty. */
export function complete(words: readonly string[], facts: CompletionFacts): Candidate[] {
  const current = words.at(-1) ?? ''
  const before = words.slice(0, -1).filter(word => word !== '--no-color')
  return candidates(before, current, facts).filter(
    ({ value }) => value === filesCandidate.value || value.startsWith(current),
  )
}

function candidates(before: readonly string[], current: string, facts: CompletionFacts): Candidate[] {
  const words = before[0] === 'help' ? before.slice(1) : before
  const command = [2, 1]
    .map(length => allCommands.find(({ name }) => name === words.slice(0, length).join(' ')))
    .find(found => found !== undefined)
  if (command === undefined) return words.length < 2 ? commandWords(words[0], before.length === 0) : []
  if (before[0] === 'help') return []
  return afterCommand({ command, current, facts }, words.slice(command.name.split(' ').length))
}

/** Returns the first words, or the second words of a group. */
function commandWords(first: string | undefined, alone: boolean): Candidate[] {
  if (first !== undefined) {
    return allCommands
      .filter(({ name }) => name.startsWith(`${first} `))
      .map(({ name, brief }) => ({ value: name.slice(first.length + 1), says: brief }))
  }
  const own = commandSections
    .flatMap(({ commands }) => commands)
    .filter(({ name }) => !name.startsWith('glossary '))
    .map(({ name, brief }) => ({ value: name.split(' ')[0] ?? name, says: brief }))
  const more = [
    { value: 'asset', says: 'run, rollback, status, sample, versions' },
    { value: 'glossary', says: 'add-term, link-term, list, search, export' },
    { value: 'help', says: 'help of a command' },
    { value: '--help', says: 'all commands' },
    { value: '--version', says: 'the version' },
  ]
  return [...own, ...(alone ? more : [])]
}

/** What is being typed behind a command. */
interface Typing {
  readonly command: Command
  readonly current: string
  readonly facts: CompletionFacts
}

function afterCommand(typing: Typing, given: readonly string[]): Candidate[] {
  const { command, current } = typing
  const options = [...command.options, ...globalOptions]
  const asked = optionBefore(options, given)
  if (asked !== undefined) return valuesOf(asked, typing)
  const [name = '', value] = current.split(/=(.*)/s)
  const assigned = options.find(option => `--${option.name}` === name)
  if (value !== undefined && assigned !== undefined) {
    return valuesOf(assigned, { ...typing, current: value }).map(each => ({
      ...each,
      value: `${name}=${each.value}`,
    }))
  }
  if (current.startsWith('-')) return optionCandidates(options, given)
  return argumentCandidates(typing, positionals(options, given))
}

/** Returns the option whose value is being typed. */
function optionBefore(options: readonly OptionHelp[], given: readonly string[]): OptionHelp | undefined {
  const last = given.at(-1)
  return options.find(option => option.value !== undefined && isNamed(option, last))
}

function isNamed(option: OptionHelp, word: string | undefined): boolean {
  return word === `--${option.name}` || (option.short !== undefined && word === `-${option.short}`)
}

function optionCandidates(options: readonly OptionHelp[], given: readonly string[]): Candidate[] {
  return options
    .filter(option => option.repeatable === true || !given.some(word => isGiven(option, word)))
    .map(({ name, summary }) => ({ value: `--${name}`, says: summary }))
}

function isGiven(option: OptionHelp, word: string): boolean {
  return isNamed(option, word) || word.startsWith(`--${option.name}=`)
}

function positionals(options: readonly OptionHelp[], given: readonly string[]): string[] {
  return given.filter(
    (word, index) => !word.startsWith('-') && optionBefore(options, given.slice(0, index)) === undefined,
  )
}

function argumentCandidates(typing: Typing, before: readonly string[]): Candidate[] {
  const { arguments: all } = typing.command
  const argument = all[before.length] ?? all.find(each => each.variadic === true)
  return argument === undefined ? [] : namedValues(argument.name, typing)
}

function valuesOf(option: OptionHelp, typing: Typing): Candidate[] {
  const { current, facts } = typing
  if (option.choices !== undefined) return plain(option.choices)
  if (option.name === 'env') return plain(facts.environments(), 'environment')
  if (option.name === 'select' || option.name === 'exclude') return selectorCandidates(current, facts)
  return namedValues(option.name, typing)
}

/** Returns values by the name of an argument or option. */
function namedValues(name: string, { command, current, facts }: Typing): Candidate[] {
  switch (name) {
    case 'asset_selector':
      return selectorCandidates(current, facts)
    case 'asset_names':
      return listCandidates(current, plain(facts.assets(), 'asset'))
    case 'asset_name':
    case 'asset':
      return plain(facts.assets(), 'asset')
    case 'run':
      return plain(facts.runs(), 'run')
    case 'key_or_code':
      return keyCandidates(current)
    case 'shell':
      return plain(['bash', 'zsh', 'fish'])
    case 'path':
    case 'out':
    case 'asset_path':
      return [filesCandidate]
    case 'name':
      return command.name === 'schema'
        ? plain(['list', 'asset', 'settings', 'glossary', ...Object.keys(outputSchemas)])
        : []
    default:
      return []
  }
}

function plain(values: readonly string[], says = ''): Candidate[] {
  return values.map(value => ({ value, says }))
}

/** Returns the keys at the level that is being typed; at the first one the codes too. */
function keyCandidates(current: string): Candidate[] {
  const depthOf = (path: string) => path.split('.').length
  const keys = keyPaths().filter(path => !path.includes('<') && depthOf(path) === depthOf(current))
  if (current.includes('.')) return plain(keys, 'key')
  const codes = [...diagnosticCodes().map(({ code }) => code), ...Object.keys(errorCodes)]
  return [...plain(keys, 'key'), ...plain([...new Set(codes)].sort(), 'code')]
}

/** Completes the part after the last comma of `a,b`. */
function listCandidates(current: string, candidates: readonly Candidate[]): Candidate[] {
  const done = current.slice(0, current.lastIndexOf(',') + 1)
  return candidates.map(each => ({ ...each, value: done + each.value }))
}

/** Completes the part after the comma and the sign in `tag:core,+stg_`. */
function selectorCandidates(current: string, facts: CompletionFacts): Candidate[] {
  const [done = ''] = /^.*[,&\s]/s.exec(current) ?? []
  const word = current.slice(done.length)
  const [sign = ''] = /^!?(?:@|\d*\+)?/.exec(word) ?? []
  const core = word.slice(sign.length)
  const prefixed = (values: readonly Candidate[]) =>
    values.map(each => ({ ...each, value: done + sign + each.value }))
  const method = /^([a-z]+):/.exec(core)?.[1]
  if (method !== undefined)
    return prefixed(plain(methodValues(method, facts).map(value => `${method}:${value}`)))
  return prefixed([
    ...plain(facts.assets(), 'asset'),
    ...selectorMethods.map(name => ({ value: `${name}:`, says: 'selector' })),
  ])
}

function methodValues(method: string, facts: CompletionFacts): readonly string[] {
  switch (method) {
    case 'state':
      return ['modified', 'new']
    case 'result':
      return ['failed']
    case 'materialize':
      return materializeKinds
    case 'ingest':
      return [...sourceKinds.map(({ variant }) => variant.value), 'none']
    case 'path':
      return folders(facts.paths())
    default:
      return facts.labels(method).map(value => (/[\s,&]/.test(value) ? `"${value}"` : value))
  }
}

function folders(paths: readonly string[]): string[] {
  return [...new Set(paths.map(path => path.slice(0, path.lastIndexOf('/'))))]
}
