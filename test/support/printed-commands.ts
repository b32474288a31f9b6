/** The command lines that svc prints in what it says to do: each is written by the one maker, `svc('run +orders')`. */
import { allCommands } from '../../cli/commands/index.ts'
import { codeFiles, codeOf } from '../architecture/code.ts'

export interface PrintedCommand {
  /** The words after `svc`, with `…` for what is known only when it is printed. */
  readonly words: string
  readonly path: string
}

const folders = ['cli', 'server']
const maker = /\bsvc(?:In\((?:[^()]|\([^()]*\))*\))?\((?=['`])/g

/** Returns the command lines of all calls of the maker. */
export function printedCommands(): readonly PrintedCommand[] {
  return codeFiles('.', folders).flatMap(path => {
    const code = codeOf(path)
    return [...code.matchAll(maker)].map(({ index, 0: { length } }) => ({
      words: literalAt(code, index + length),
      path,
    }))
  })
}

/** Returns the text literal at a place, with `…` for each value in it. */
function literalAt(code: string, start: number): string {
  const quote = code[start]
  let text = ''
  for (let at = start + 1; at < code.length && code[at] !== quote; at++) {
    if (!code.startsWith('${', at)) {
      text += code[at]
      continue
    }
    text += '…'
    for (let depth = 0; at < code.length; at++) {
      if (code[at] === '{') depth++
      else if (code[at] === '}' && --depth === 0) break
    }
  }
  return text
}

/** The commands that have `--env`. */
export const commandsWithEnvironment: readonly string[] = allCommands
  .filter(({ options }) => options.some(({ name }) => name === 'env'))
  .map(({ name }) => name)

/** Their answers are the same for all environments, or are about files alone. */
const ofFiles = new Set(['validate', 'ls', 'lsp', 'inspect', 'upload', 'mcp', 'backup', 'gc', 'ui'])
/** An example of a command line, not one to follow. */
const examples = new Set(['cli/commands/find-command.ts', 'cli/engine/import/dbt/models.ts'])

/** Returns the hints of the command line that name a command with `--env`, as `svc run`, without the maker. */
export function hintsWithoutMaker(): readonly string[] {
  const names = commandsWithEnvironment.filter(name => !ofFiles.has(name))
  const hint = new RegExp(`\\bhint\\b[^;,{}]*?['"\`][^'"\`]*\\bsvc (?:${names.join('|')})\\b[^'"\`]*`, 'g')
  return codeFiles('.', ['cli'])
    .filter(path => !examples.has(path))
    .flatMap(path => Array.from(codeOf(path).matchAll(hint), ([text]) => `${path}: ${text}`))
}
