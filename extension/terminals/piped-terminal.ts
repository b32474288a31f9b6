/**
 * A terminal for a process that cannot have a real one: on Windows the editor's executable is a GUI program,
 * which has no console. Its output is read through pipes and written here; Ctrl-C is forwarded.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, type Pseudoterminal } from 'vscode'
import type { Invocation } from '../bundled-cli.ts'

const interrupt = '\u0003'

export function pipedTerminal({ executable, args, cwd, env }: Invocation): Pseudoterminal {
  const written = new EventEmitter<string>()
  const closed = new EventEmitter<number>()
  let child: ChildProcess | undefined

  function begin(): void {
    child = spawn(executable, args, {
      cwd,
      env: { ...process.env, FORCE_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8')
      stream?.on('data', (text: string) => written.fire(text.replace(/\r?\n/g, '\r\n')))
    }
    child.on('error', error => {
      written.fire(`svc cannot be started: ${error.message}\r\n`)
      closed.fire(1)
    })
    // 'close' and not 'exit', because the last output arrives after the exit.
    child.on('close', (code, signal) => closed.fire(code ?? (signal === null ? 1 : 130)))
  }

  return {
    onDidWrite: written.event,
    onDidClose: closed.event,
    open: begin,
    close: () => void child?.kill(),
    handleInput(text) {
      if (text.includes(interrupt)) child?.kill('SIGINT')
    },
  }
}
