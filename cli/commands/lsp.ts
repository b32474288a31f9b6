/**
 * `svc lsp --stdio`: the language server, for any editor (decisions 3). It is the only command that
 * communicates over stdin.
 */
import {
  engines,
  environmentNameForm,
  extensibleEngines,
  isEnvironmentName,
  usualEnvironment,
} from '@svc/server/language'
import { SvcError } from '../engine/errors.ts'
import { type Command, environmentOption } from './command.ts'
import type { Options } from './options.ts'

export const lspCommand: Command = {
  name: 'lsp',
  brief: 'the language server, for editors',
  summary:
    'Serve editors over the Language Server Protocol: problems, completion, hover, rename and the rest.',
  arguments: [],
  options: [
    { name: 'stdio', summary: 'speak on stdin and stdout (there is no other way yet)' },
    {
      name: 'trusted',
      summary: `load the extensions of ${extensibleEngines(engines, 'native')} that svc.yaml names: native code`,
    },
    { ...environmentOption, summary: 'environment whose engine hover, types and completion are of' },
    { name: 'clientProcessId', value: 'pid', summary: 'end when this process ends' },
  ],
  examples: [
    { line: 'svc lsp --stdio', says: 'what an editor starts' },
    { line: 'svc lsp --stdio --clientProcessId 42', says: 'ends when that editor is gone' },
  ],
  exitCodes: {
    0: 'the editor ended the session',
    1: 'the editor ended without closing the session',
    2: 'wrong usage',
  },
  async run({ options, version, world, signal }) {
    if (!options.flag('stdio')) {
      throw new SvcError('wrong-usage', 'svc lsp needs --stdio', {
        hint: 'An editor starts it as: svc lsp --stdio.',
      })
    }
    const { serveLanguage } = await import('@svc/server/lsp')
    const exitCode = await serveLanguage({
      input: process.stdin,
      output: process.stdout,
      now: world.now,
      env: world.env,
      version,
      program: world.program,
      isTrusted: options.flag('trusted'),
      environment: environmentIn(options),
      clientProcessId: processId(options.text('clientProcessId')),
      isAlive,
      signal,
    })
    return { exitCode, text: () => [] }
  },
}

function environmentIn(options: Options): string {
  const name = options.text('env') ?? usualEnvironment
  if (isEnvironmentName(name)) return name
  throw new SvcError('wrong-usage', `"${name}" cannot name an environment`, {
    hint: environmentNameForm,
  })
}

function processId(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (/^[1-9]\d*$/.test(value)) return Number(value)
  throw new SvcError('wrong-usage', `"${value}" is no process id`, { hint: 'It is a number, such as 4711.' })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process exists but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
