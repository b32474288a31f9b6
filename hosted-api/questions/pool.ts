/**
 * Long questions are answered in processes beside the service, so that its event loop is free for everything else. A
 * process that hangs is killed, and one that crashes is started anew; the other questions in it are asked once more.
 */
import {
  type AnswerApart,
  type AnyRoute,
  type Call,
  type EncodedReply,
  Problem,
  tookTooLong,
} from '../http/index.ts'
import type { Opening, Question } from './messages.ts'
import { QuestionProcess } from './question-process.ts'

export interface QuestionCounts {
  readonly processes: number
  readonly running: number
  readonly waiting: number
  /** Questions that a process has answered, also with a problem. */
  readonly answered: number
  /** Processes that ended although nobody stopped the service. */
  readonly failed: number
}

export interface PoolOptions {
  /** The bundle that a process runs. */
  readonly file: string
  readonly processes: number
  readonly opening: Omit<Opening, 'type' | 'memory'>
  readonly onError: (error: unknown, requestId: string) => void
}

/** Megabytes of JavaScript values in one process. */
const memory = 1024
/** Questions in one process at the same moment: they take turns in it. */
const mostTogether = 4
/** Seconds beyond the limit in which a process that is not stuck says by itself that the time is over. */
const grace = 2
/** Milliseconds for a process to start. */
const startTime = 30_000
/** Milliseconds after a process that could not even open the database: until then the service answers by itself. */
const pauseAfterBadStart = 10_000

interface Waiting {
  readonly question: Question
  /** Set when it was in a process that ended: it has the next one to itself, so that it cannot harm others again. */
  readonly isAgain: boolean
  /** Undefined: the service has to answer by itself. */
  resolve(reply: EncodedReply | undefined): void
  reject(error: unknown): void
}

interface Place {
  readonly process: QuestionProcess
  /** Each with the timer that ends it if nothing else does. */
  readonly running: Map<Waiting, NodeJS.Timeout | undefined>
}

export class QuestionPool {
  readonly #options: PoolOptions
  readonly #places: Place[] = []
  readonly #queue: Waiting[] = []
  #answered = 0
  #failed = 0
  #notBefore = 0
  #isStopped = false

  constructor(options: PoolOptions) {
    this.#options = options
    // So that the first question does not wait for a process to start.
    this.#start()
  }

  readonly answer: AnswerApart = async (route, call, revision) => {
    const canAsk = this.#places.length > 0 || performance.now() >= this.#notBefore
    if (this.#isStopped || !canAsk) return undefined
    const question = questionOf(route, call, revision)
    return new Promise((resolve, reject) => {
      this.#queue.push({ question, isAgain: false, resolve, reject })
      this.#pump()
    })
  }

  readonly counts = (): QuestionCounts => {
    const running = this.#places.reduce((sum, place) => sum + place.running.size, 0)
    const [processes, waiting] = [this.#places.length, this.#queue.length]
    return { processes, running, waiting, answered: this.#answered, failed: this.#failed }
  }

  /** Ends all processes. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const { reject } of this.#queue.splice(0)) reject(stopped())
    await Promise.all(this.#places.map(({ process }) => process.stop()))
  }

  #pump(): void {
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      const place = this.#placeFor(next)
      if (place === undefined) {
        this.#growIfBusy()
        return
      }
      this.#queue.shift()
      if (place.running.size > 0) this.#growIfBusy()
      this.#ask(place, next)
    }
  }

  /** The process with the fewest questions, so that one that does not let others in waits with few of them. */
  #placeFor({ isAgain }: Waiting): Place | undefined {
    const most = isAgain ? 1 : mostTogether
    return this.#places
      .filter(
        ({ process, running }) =>
          process.isReady && running.size < most && ![...running.keys()].some(isAlone),
      )
      .sort((a, b) => a.running.size - b.running.size)[0]
  }

  #growIfBusy(): void {
    const isStarting = this.#places.some(({ process }) => !process.isReady)
    const mayStart = this.#places.length < this.#options.processes && performance.now() >= this.#notBefore
    if (!isStarting && mayStart) this.#start()
  }

  #start(): void {
    const { file, opening } = this.#options
    let wasReady = false
    const process = new QuestionProcess(
      file,
      { type: 'open', ...opening, memory },
      {
        onReady: () => {
          wasReady = true
          clearTimeout(late)
          this.#pump()
        },
        onRoom: () => this.#pump(),
        onEnd: reason => {
          clearTimeout(late)
          this.#end(place, reason, wasReady)
        },
      },
    )
    const late = setTimeout(() => process.kill(), startTime)
    const place: Place = { process, running: new Map() }
    this.#places.push(place)
  }

  #ask(place: Place, asked: Waiting): void {
    const time = asked.question.limits.questionTime
    const late = time === 0 ? undefined : setTimeout(() => this.#endLate(place, asked), (time + grace) * 1000)
    place.running.set(asked, late)
    const end = () => {
      clearTimeout(late)
      this.#answered++
      return place.running.delete(asked)
    }
    place.process.ask(asked.question, {
      resolve: reply => end() && asked.resolve(reply),
      reject: error => end() && asked.reject(error),
    })
  }

  /** What runs without a pause notices no limit: it ends with its process. */
  #endLate(place: Place, asked: Waiting): void {
    const { route, requestId, limits } = asked.question
    const time = limits.questionTime
    place.running.delete(asked)
    // The others are asked again, so their time has not run out.
    for (const late of place.running.values()) clearTimeout(late)
    const text = `${route} took longer than ${time} s without a pause: its process was killed`
    this.#options.onError(new Error(text), requestId)
    asked.reject(tookTooLong(time, 'question-timeout'))
    place.process.kill()
  }

  #end(place: Place, reason: string, wasReady: boolean): void {
    this.#places.splice(this.#places.indexOf(place), 1)
    const left = [...place.running.keys()]
    for (const late of place.running.values()) clearTimeout(late)
    place.running.clear()
    if (this.#isStopped) {
      for (const asked of left) asked.reject(stopped())
      return
    }
    this.#failed++
    this.#options.onError(new Error(`a process that answers long questions ended: ${reason}`), 'questions')
    for (const asked of left) this.#askAgain(asked)
    if (!wasReady) this.#notBefore = performance.now() + pauseAfterBadStart
    if (this.#places.length > 0) this.#pump()
    else if (wasReady) this.#start()
    else this.#giveUp()
  }

  #askAgain(asked: Waiting): void {
    const { question, isAgain, resolve, reject } = asked
    if (!isAgain) return void this.#queue.unshift({ question, isAgain: true, resolve, reject })
    const text = 'The process that answered the question ended twice: ask for less at a time, or again later.'
    this.#options.onError(new Error(`${question.route} ended its process twice`), question.requestId)
    reject(new Problem('unavailable', text, { headers: { 'Retry-After': '10' } }))
  }

  /** No process can be started: the service answers by itself, and tries again later. */
  #giveUp(): void {
    for (const { resolve } of this.#queue.splice(0)) resolve(undefined)
  }
}

function isAlone({ isAgain }: Waiting): boolean {
  return isAgain
}

function stopped(): Problem {
  return new Problem('unavailable', 'The service is about to stop.')
}

/** Of the headers only those that handlers of questions read. */
const readHeaders = ['accept', 'if-none-match'] as const

function questionOf(route: AnyRoute, call: Call, revision: number | undefined): Question {
  const { requestId, principal, params, query, project, url, limits } = call
  const headers = readHeaders.flatMap(name => {
    const value = call.headers[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    route: route.id,
    requestId,
    principal,
    params,
    query,
    project,
    revision,
    url,
    limits,
    headers: Object.fromEntries(headers),
    now: call.storage.clock().getTime(),
  }
}
