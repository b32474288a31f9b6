/**
 * The process that answers long questions: it only reads the database, and ends with the service that started it. What
 * takes time here (walks, JSON texts, the garbage of both) keeps no request of the service waiting.
 */
import { readdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { type AnyRoute, type Call, createPace, encodeReply, failureOf } from '../http/index.ts'
import type { Readers } from '../storage/index.ts'
import type { FromProcess, Opening, Question, ToProcess } from './messages.ts'

export interface QuestionParts {
  /** Opens the database for reading. */
  readonly open: (opening: Opening) => Promise<Readers>
  readonly routes: (opening: Opening) => readonly AnyRoute[]
}

/** The argument of the process. */
export const questionWord = 'answer-questions'

interface Opened {
  readonly readers: Readers
  readonly routes: ReadonlyMap<string, AnyRoute>
}

/** Runs until the channel to the service is closed, also by the service's sudden end. */
export function answerQuestions(parts: QuestionParts): void {
  // A terminal and a service manager send these to all processes; the service ends this one when its requests are done.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  process.on('disconnect', () => process.exit(0))
  goLast()
  let opened: Promise<Opened> | undefined
  process.on('message', (message: ToProcess) => {
    if (message.type === 'open') {
      opened = openAll(parts, message)
      opened.then(
        () => tell({ type: 'ready' }),
        error => {
          process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`, () =>
            process.exit(1),
          )
        },
      )
    } else if (opened !== undefined) void answer(opened, message.id, message.question)
  })
}

/** On Linux each thread has its own priority, and some were started before this runs. */
function goLast(): void {
  const { PRIORITY_BELOW_NORMAL } = constants.priority
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [0]
  for (const thread of threads) {
    try {
      setPriority(thread, PRIORITY_BELOW_NORMAL)
    } catch {
      // A thread that has ended, or a system that allows no change: the answers are the same.
    }
  }
}

async function openAll(parts: QuestionParts, opening: Opening): Promise<Opened> {
  const readers = await parts.open(opening)
  return { readers, routes: new Map(parts.routes(opening).map(route => [route.id, route])) }
}

async function answer(opened: Promise<Opened>, id: number, question: Question): Promise<void> {
  try {
    const { readers, routes } = await opened
    const route = routes.get(question.route)
    if (route === undefined) throw new Error(`there is no route ${question.route}`)
    const reply = await route.handle(callOf(question, readers))
    const { headers, bytes } = encodeReply(reply)
    for (let start = 0; start < bytes.length; start += partBytes) {
      await tell({ type: 'part', id, bytes: bytes.subarray(start, start + partBytes) })
    }
    await tell({ type: 'answer', id, status: reply.status, headers })
  } catch (error) {
    await tell({ type: 'failure', id, failure: failureOf(error) })
  }
}

const partBytes = 256 * 1024

/** Resolves when the message is on its way, so that parts of an answer do not pile up. */
function tell(message: FromProcess): Promise<void> {
  return new Promise(resolve => {
    // The service may be gone: then this process is about to end.
    if (process.connected) process.send?.(message, () => resolve())
    else resolve()
  })
}

function callOf(question: Question, readers: Readers): Call {
  const { route: _, revision, now, ...asked } = question
  return {
    ...asked,
    body: undefined,
    storage: {
      ...readers,
      place: 'the database of the service',
      server: '',
      isServing: onlyReads,
      clock: () => new Date(now),
      revision: async project =>
        (project === asked.project ? revision : undefined) ?? readers.revision(project),
      write: onlyReads,
      snapshot: onlyReads,
      ping: onlyReads,
    },
    pace: createPace(asked.limits.questionTime, 'question-timeout'),
    chargeRecords: () => {},
    write: onlyReads,
  }
}

function onlyReads(): Promise<never> {
  return Promise.reject(new Error('a question only reads'))
}
