/**
 * Runs `svc` in the background for views: a command with `--json`, whose output is returned as
 * data. It never opens a warehouse longer than `svc` itself does, and never runs in an untrusted workspace.
 */
import { spawn } from 'node:child_process'
import { editorLinkVariable, type FromEditor, type ToEditor } from '@svc/server/editor-link'
import { type CancellationToken, type LogOutputChannel, Uri, workspace } from 'vscode'
import { invocationOf } from './bundled-cli.ts'
import type { ChosenSvc } from './chosen-svc.ts'
import { firstError } from './first-error.ts'
import { variablesOf } from './settings.ts'

export type Background = ReturnType<typeof createBackground>

export interface BackgroundOptions {
  readonly input?: string
  readonly token?: CancellationToken
  /** The words may hold a secret: the log names the command alone. */
  readonly hidesWords?: boolean
  readonly editor?: EditorSide
}

/** What the editor does for a command of language models. */
export interface EditorSide {
  /** The name of the model that answers; empty: the configured one. */
  readonly model: string
  hear(message: ToEditor, say: (answer: FromEditor) => void): void
}

/** The error that `svc` printed as `{"error": …}`, or its stderr if it could not even do that. */
export class SvcRefusal extends Error {
  readonly hint: string | undefined
  readonly place: string | undefined
  readonly code: string | undefined
  /** What the message tells in words, as values. */
  readonly facts: Readonly<Record<string, unknown>>
  constructor(
    message: string,
    hint?: string,
    place?: string,
    code?: string,
    facts: SvcRefusal['facts'] = {},
  ) {
    super(message)
    this.name = 'SvcRefusal'
    this.hint = hint
    this.place = place
    this.code = code
    this.facts = facts
  }
}

export class Cancelled extends Error {}

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export function createBackground(svc: ChosenSvc, log: LogOutputChannel) {
  return {
    /**
     * Returns the JSON that `svc` prints, whatever its exit code, because a failed check is a result too.
     * Throws `SvcRefusal` if svc prints an error instead, and `Cancelled` if the token was cancelled.
     */
    async json(root: string, words: readonly string[], options: BackgroundOptions = {}) {
      const { token, hidesWords = false } = options
      if (!workspace.isTrusted) throw new SvcRefusal('svc runs only in a workspace that you trust')
      const uri = Uri.parse(root)
      const variables = variablesOf(uri, log)
      const all = [...words, '--json']
      const invocation = invocationOf(svc.of(root), all, { cwd: uri.fsPath, env: variables })
      const startedMs = Date.now()
      const ended = await run(invocation, options)
      log.debug(
        `svc ${(hidesWords ? [words[0], '…'] : all).join(' ')}: exit code ${ended.code}, ${Date.now() - startedMs} ms`,
      )
      if (token?.isCancellationRequested) throw new Cancelled('cancelled')
      return answerOf(ended)
    },
  }
}

function run(
  { executable, args, cwd, env }: ReturnType<typeof invocationOf>,
  { input, token, editor }: Pick<BackgroundOptions, 'input' | 'token' | 'editor'>,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const link = editor === undefined ? {} : { [editorLinkVariable]: editor.model }
    const child = spawn(executable, args, {
      cwd,
      env: { ...process.env, ...env, ...link },
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe', ...(editor === undefined ? [] : ['ipc' as const])],
    })
    child.on('message', message => {
      // An answer may come when the process has ended.
      const say = (answer: FromEditor) => void child.send(answer, () => undefined)
      editor?.hear(message as ToEditor, say)
    })
    let stdout = ''
    let stderr = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    const listening = token?.onCancellationRequested(() => child.kill())
    child.on('error', reject)
    child.on('close', code => {
      listening?.dispose()
      resolve({ code, stdout, stderr })
    })
    // If the process ends without reading, its exit code says why; the error of the pipe can be ignored.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input ?? '')
  })
}

function answerOf({ stdout, stderr, code }: Ended): unknown {
  const answer = parsed(stdout)
  if (answer === undefined) {
    throw new SvcRefusal(firstError(stderr) || `svc ended with ${code}`)
  }
  const error = errorOf(answer)
  if (error !== undefined) throw error
  return answer
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function errorOf(answer: unknown): SvcRefusal | undefined {
  if (typeof answer !== 'object' || answer === null || !('error' in answer)) return undefined
  const { message, hint, place, code, facts } = answer.error as Readonly<Record<string, unknown>>
  const known = typeof facts === 'object' && facts !== null ? (facts as SvcRefusal['facts']) : {}
  return new SvcRefusal(String(message), textOf(hint), textOf(place), textOf(code), known)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
