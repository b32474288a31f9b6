/** Finds the command that the words of a command line name, or the help that they ask for. */
import { didYouMean } from '@svc/server/language'
import { SvcError } from '../engine/errors.ts'
import type { Command } from './command.ts'
import { allCommands } from './index.ts'

export type Request =
  | { readonly kind: 'overview' }
  /** `svc asset --help` lists the commands of a group. */
  | { readonly kind: 'group'; readonly commands: readonly Command[] }
  | { readonly kind: 'help'; readonly command: Command }
  | { readonly kind: 'run'; readonly command: Command; readonly words: readonly string[] }

/** Throws SvcError `wrong-usage` with the nearest right name. */
export function findRequest(allWords: readonly string[]): Request {
  const words = withoutLeadingOptions(allWords)
  const [first, second] = words
  if (first === undefined || isHelp(first)) return { kind: 'overview' }
  if (first === 'help')
    return second === undefined ? { kind: 'overview' } : findRequest([...words.slice(1), '--help'])
  const command = named(`${first} ${second}`) ?? named(first)
  if (command === undefined) return groupOrRefusal(first, second)
  const rest = words.slice(command.name.split(' ').length)
  return asksForHelp(rest) ? { kind: 'help', command } : { kind: 'run', command, words: rest }
}

function named(name: string): Command | undefined {
  return allCommands.find(command => command.name === name)
}

/** Options of every command may come before the command, as in `svc --no-color run`. */
function withoutLeadingOptions(words: readonly string[]): readonly string[] {
  const start = words.findIndex(word => word !== '--no-color')
  return start === -1 ? [] : words.slice(start)
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h'
}

function asksForHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--')
  return words.slice(0, end === -1 ? undefined : end).some(isHelp)
}

function groupOrRefusal(first: string, second: string | undefined): Request {
  const commands = allCommands.filter(command => command.name.startsWith(`${first} `))
  if (commands.length === 0) throw unknownCommand(first)
  if (second !== undefined && isHelp(second)) return { kind: 'group', commands }
  const given =
    second === undefined || second.startsWith('-') ? 'needs one more word' : `has no command "${second}"`
  const names = commands.map(command => command.name.slice(first.length + 1))
  throw new SvcError('wrong-usage', `svc ${first} ${given}`, { hint: `It is one of: ${names.join(', ')}.` })
}

function unknownCommand(word: string): SvcError {
  if (word.startsWith('-')) {
    return new SvcError('wrong-usage', `svc has no option "${word}" before the command`, {
      hint: 'Options go after the command: svc run --env prod.',
    })
  }
  const names = [...new Set(allCommands.flatMap(command => [command.name, command.name.split(' ')[0] ?? '']))]
  const meant = elsewhere.find(([words]) => words.includes(word))?.[1]
  const question = meant === undefined ? didYouMean(word, names) : `; did you mean "${meant}"?`
  return new SvcError('wrong-usage', `svc has no command "${word}"${question}`, {
    hint: 'svc --help lists all commands.',
  })
}

/** What other tools call it. */
const elsewhere: readonly (readonly [words: readonly string[], command: string])[] = [
  [['list', 'dir'], 'ls'],
  [['build', 'deploy', 'apply', 'start', 'exec'], 'run'],
  [['check', 'lint', 'parse'], 'validate'],
  [['format'], 'fmt'],
  [['show', 'head', 'peek'], 'sample'],
  [['sql', 'select'], 'query'],
  [['diff', 'dry-run'], 'plan'],
  [['undo', 'revert'], 'rollback'],
  [['history'], 'versions'],
  [['clean', 'prune', 'vacuum'], 'gc'],
  [['debug', 'diagnose'], 'doctor'],
  [['new', 'add', 'create'], 'create asset'],
  [['docs', 'site'], 'lineage'],
  [['dashboard', 'serve', 'web'], 'ui'],
]
