/** One process that answers long questions, seen from the service. */
import { type ChildProcess, fork } from 'node:child_process'
import { type EncodedReply, errorOf } from '../http/index.ts'
import { questionWord } from './answer-questions.ts'
import type { FromProcess, Opening, Question, ToProcess } from './messages.ts'

export interface Told {
  resolve(reply: EncodedReply): void
  reject(error: unknown): void
}

export interface ProcessEvents {
  /** It has opened the database. */
  onReady(): void
  /** An answer has come, so there is room for another question. */
  onRoom(): void
  /** It has ended by itself, or was killed. Called once; the questions in it are no longer answered. */
  onEnd(reason: string): void
}

/** Bytes of its standard error that are kept, to say why it ended. */
const keptText = 2000
/** Milliseconds for a process to end when the channel to it is closed. */
const endTime = 2000

interface Running extends Told {
  readonly parts: Uint8Array[]
}

export class QuestionProcess {
  readonly #child: ChildProcess
  readonly #running = new Map<number, Running>()
  readonly #ended: Promise<void>
  #isReady = false
  #isStopping = false
  #hasEnded = false
  #count = 0
  #lastText = ''

  /** @param file the bundle, which `answerQuestions` is a part of */
  constructor(file: string, opening: Opening, events: ProcessEvents) {
    this.#child = fork(file, [questionWord], {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${opening.memory}`],
      env: environment(),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#lastText = `${this.#lastText}${chunk.toString()}`.slice(-keptText)
    })
    this.#child.on('message', (message: FromProcess) => this.#take(message, events))
    this.#ended = new Promise(resolve => {
      const end = (reason: string) => {
        if (this.#hasEnded) return
        this.#hasEnded = true
        this.#running.clear()
        resolve()
        events.onEnd(reason)
      }
      this.#child.once('error', error => {
        this.#child.kill('SIGKILL')
        end(error.message)
      })
      // What it said last may still be on its way at "exit". There is no "close" when the channel was closed from here.
      this.#child.once('exit', () => this.#isStopping && end('stopped'))
      this.#child.once('close', (code, signal) => end(`${signal ?? code} ${this.#lastText}`.trim()))
    })
    this.#send(opening)
  }

  get isReady(): boolean {
    return this.#isReady && !this.#hasEnded
  }

  ask(question: Question, told: Told): void {
    const id = ++this.#count
    this.#running.set(id, { ...told, parts: [] })
    this.#send({ type: 'ask', id, question })
  }

  kill(): void {
    this.#isReady = false
    this.#child.kill('SIGKILL')
  }

  /** Closes the channel, at which it ends, and kills it if it does not. */
  async stop(): Promise<void> {
    this.#isStopping = true
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    if (this.#child.connected) this.#child.disconnect()
    const late = setTimeout(() => this.kill(), endTime)
    await this.#ended
    clearTimeout(late)
  }

  #take(message: FromProcess, events: ProcessEvents): void {
    if (message.type === 'ready') {
      this.#isReady = true
      events.onReady()
      return
    }
    const running = this.#running.get(message.id)
    if (running === undefined) return
    if (message.type === 'part') return void running.parts.push(message.bytes)
    this.#running.delete(message.id)
    if (message.type === 'failure') running.reject(errorOf(message.failure))
    else running.resolve({ status: message.status, headers: message.headers, bytes: joined(running.parts) })
    events.onRoom()
  }

  #send(message: ToProcess): void {
    // A process that cannot be told anything is about to end, which says it.
    if (this.#child.connected) this.#child.send(message, () => {})
  }
}

function joined(parts: readonly Uint8Array[]): Buffer {
  const [only] = parts
  if (parts.length === 1 && only !== undefined)
    return Buffer.from(only.buffer, only.byteOffset, only.byteLength)
  return Buffer.concat(parts)
}

/** Without what only the service needs. */
function environment(): NodeJS.ProcessEnv {
  const { SVC_HOSTED_BOOTSTRAP_TOKEN: _, SVC_HOSTED_DB: __, ...rest } = process.env
  return rest
}
