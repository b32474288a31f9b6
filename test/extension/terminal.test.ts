/** How the bundled svc is found and started: no shell, so no character of a name or a path means anything. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findCli, invocationOf } from '../../extension/bundled-cli.ts'
import { writeLaunchers } from '../../extension/terminals/command-on-path.ts'
import { pipedTerminal } from '../../extension/terminals/piped-terminal.ts'

vi.mock('vscode', () => ({
  EventEmitter: class {
    readonly listeners: ((value: unknown) => void)[] = []
    readonly event = (listener: (value: unknown) => void) => this.listeners.push(listener)
    fire(value: unknown) {
      for (const listener of this.listeners) listener(value)
    }
  },
}))

/** A folder that every shell would stumble over. */
const hostile = `it's a "folder" & $HOME; (x) %PATH% ^`

let root = ''

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-extension-'))
})

afterEach(() => rmSync(root, { recursive: true }))

function fakeCli(source: string): string {
  const folder = join(root, hostile, 'cli', 'bin')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'svc.cjs'), source)
  chmodSync(join(folder, 'svc.cjs'), 0o644)
  return join(folder, 'svc.cjs')
}

/** Everything that is written, and the code at the end. */
function showOf(
  terminal: ReturnType<typeof pipedTerminal>,
): Promise<{ readonly text: string; readonly code: number }> {
  return new Promise(resolve => {
    let text = ''
    terminal.onDidWrite(part => {
      text += part
    })
    terminal.onDidClose?.(code => resolve({ text, code: code ?? -1 }))
    terminal.open(undefined)
  })
}

describe('the bundled svc', () => {
  it('lies in the extension, or beside it in a checkout', () => {
    const cli = fakeCli('')
    const extension = join(root, hostile)
    expect(findCli(extension)).toBe(cli)
    mkdirSync(join(extension, 'extension'))
    expect(findCli(join(extension, 'extension'))).toBe(cli)
    expect(findCli(root)).toBeUndefined()
  })

  it('gets its words as they are, in the folder of the project', async () => {
    const cli = fakeCli('console.log(JSON.stringify([process.argv.slice(2), process.cwd(), process.env.X]))')
    const words = ['run', `a b"c`, `$(touch x)`, '%PATH%', '`id`', '', '*']
    const cwd = join(root, hostile)
    const invocation = invocationOf(cli, words, { cwd, env: { X: `'"&|` } })
    expect(invocation.env['ELECTRON_RUN_AS_NODE']).toBe('1')
    const { text, code } = await showOf(pipedTerminal(invocation))
    expect(JSON.parse(text)).toEqual([words, cwd, `'"&|`])
    expect(code).toBe(0)
  })
})

describe('a terminal without a console', () => {
  it('shows what both streams say, with line ends of a terminal, and the exit code', async () => {
    const cli = fakeCli(
      `console.log('one\\ntwo'); console.error(process.env.FORCE_COLOR); process.exitCode = 3`,
    )
    const { text, code } = await showOf(pipedTerminal(invocationOf(cli, [], { cwd: root, env: {} })))
    expect(text.split('\r\n').sort()).toEqual(['', '1', 'one', 'two'])
    expect(code).toBe(3)
  })

  it('passes Ctrl-C on', async () => {
    const cli = fakeCli(
      `process.on('SIGINT', () => { console.log('stopping'); process.exit(130) }); console.log('up'); setInterval(() => {}, 1000)`,
    )
    const terminal = pipedTerminal(invocationOf(cli, [], { cwd: root, env: {} }))
    terminal.onDidWrite(text => {
      if (text.includes('up')) terminal.handleInput?.('\u0003')
    })
    expect(await showOf(terminal)).toMatchObject({ text: expect.stringContaining('stopping'), code: 130 })
  })

  it('says that a program cannot be started', async () => {
    const invocation = { executable: join(root, 'missing'), args: [], cwd: root, env: {} }
    const { text, code } = await showOf(pipedTerminal(invocation))
    expect(text).toContain('cannot be started')
    expect(code).toBe(1)
  })
})

describe('the first error of a command', () => {
  it('is read as one line, though it is printed in several', async () => {
    const { firstError } = await import('../../extension/first-error.ts')
    const printed = `error: unit test "week_is_weighted_by_flights" fails: in row 2 weekly_delay is
       10.0, not 11  [unit-test-failed]
       models/marts/daily_delays.svc:32:11
       svc test --unit shows what differs, row by row.
`
    expect(firstError(printed)).toBe(
      'unit test "week_is_weighted_by_flights" fails: in row 2 weekly_delay is 10.0, not 11',
    )
    expect(firstError('error: dev is held by ann  [lease-held]\n       Wait.\n')).toBe('dev is held by ann')
    expect(firstError('Segmentation fault\n  at x\n')).toBe('Segmentation fault')
    expect(firstError('')).toBe('')
  })
})

describe.skipIf(process.platform === 'win32')('svc on the PATH of a terminal', () => {
  it('is the bundled command, whatever its path, and hands on each argument and the exit code', () => {
    const cli = fakeCli('console.log(JSON.stringify(process.argv.slice(2))); process.exit(3)')
    const folder = join(root, hostile, 'bin')
    writeLaunchers(folder, process.execPath, cli)
    writeLaunchers(folder, process.execPath, cli)
    const words = ['run', 'a b', '$HOME', "it's"]
    const { status, stdout } = spawnSync(join(folder, 'svc'), words, { encoding: 'utf8' })
    expect([status, JSON.parse(stdout)]).toEqual([3, words])
  })
})
