/**
 * A terminal for a process that cannot have a real one: on Windows the editor's executable is a GUI program,
 * which has no console. Its output is read through pipes and written here; Ctrl-C is forwarded.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Event, Pseudoterminal } from 'vscode'
import type { Invocation } from '../bundled-cli.ts'

const interrupt = '\u0003'

export function pipedTerminal({ executable, args, cwd, env }: Invocation): Pseudoterminal {
  const written = emitter<string>()
  const closed = emitter<number>()
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

/** A minimal event emitter, because the editor's own is not available in the test of this file. */
function emitter<T>(): { readonly event: Event<T>; fire(value: T): void } {
  const listeners = new Set<(value: T) => unknown>()
  return {
    event(listener, self) {
      const bound = self === undefined ? listener : listener.bind(self)
      listeners.add(bound)
      return { dispose: () => void listeners.delete(bound) }
    },
    fire(value) {
      for (const listener of [...listeners]) listener(value)
    },
  }
}
