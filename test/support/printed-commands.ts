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

/** Returns the files with a text that names a command with `--env`, as `svc run`, without the maker. */
export function writtenWithoutMaker(): readonly string[] {
  const command = new RegExp(`['"\`][^'"\`\\n]*\\bsvc (?:${commandsWithEnvironment.join('|')})\\b`)
  return codeFiles('.', folders).filter(path => command.test(codeOf(path)))
}
