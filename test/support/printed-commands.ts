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
const ofFiles = new Set(['validate', 'ls', 'lsp', 'inspect', 'upload', 'mcp', 'gc', 'ui', 'notify test'])
/** They describe commands, show examples, or are printed by commands that have no `--env`. */
const descriptions = new Set([
  'cli/commands/create-asset.ts',
  'cli/commands/find-command.ts',
  'cli/engine/agents/guide.ts',
  'cli/engine/error-meanings.ts',
  'cli/engine/openlineage/events.ts',
  'cli/render/dbt-import.ts',
  'cli/render/discovery.ts',
])
/** Sentences about a command that do not tell anybody to run it. */
const facts =
  /svc (?:run`? refuses|gc would|publish needs|preview printed|backup copies a|init writes \.gitignore|run', *\)|publish at |lineage', port)|the first svc run|application_name/

/** Returns the lines that name a command with `--env`, as `svc run`, without the maker. */
export function commandsWithoutMaker(): readonly string[] {
  const names = commandsWithEnvironment.filter(name => !ofFiles.has(name))
  const command = new RegExp(`['"\`>(: ]svc (?:${names.join('|')})\\b`)
  return codeFiles('.', ['cli'])
    .filter(path => !descriptions.has(path) && !path.startsWith('cli/engine/import/dbt/'))
    .flatMap(path =>
      codeOf(path)
        .split('\n')
        .filter(
          line =>
            command.test(line) && !facts.test(line) && !/^\s*(?:examples: \[)?(?:\{ )?line: /.test(line),
        )
        .map(line => `${path}: ${line.trim()}`),
    )
}
