/**
 * Answers the messages of a page: requests go to `svc ui`, commands to the editor. The page is untrusted, so
 * every message is checked: it may read what the dashboard shows, and name assets and files of its project,
 * but never a command line.
 */

import type { IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import type { JsonOf } from '@svc/server/contract'
import type { FromPage, ToPage } from '@svc/webview/editor-messages'
import { messageOf } from '../first-error.ts'
import { type DashboardProcess, NoDashboard } from './dashboard-process.ts'

export interface AnswersOptions {
  readonly process: DashboardProcess
  readonly tell: (message: ToPage) => void
  readonly orders: {
    isAsset(name: string): boolean
    /** Resolves with the exit code; null if it was not started, or has none. */
    run(selector: string): Promise<number | null>
    /** An empty list means all assets. */
    rollback(names: readonly string[]): Promise<number | null>
    open(path: string, line: number): Promise<void>
  }
}

const readable: ReadonlySet<string> = new Set([
  '/api/catalog.json',
  '/api/quality.json',
  '/api/history.json',
  '/api/problems.json',
  '/api/glossary.json',
  '/api/dashboard.json',
  '/api/column-path.json',
  '/api/changes',
  '/api/rollback.json',
])

export function createAnswers({ process, tell, orders }: AnswersOptions) {
  const open = new Map<number, AbortController>()
  let awaited: string | undefined

  async function ask({ id, path, lastEventId }: Extract<FromPage, { readonly type: 'ask' }>): Promise<void> {
    if (!isReadable(path)) return refuse(id, 'that is not for pages')
    const ending = new AbortController()
    open.set(id, ending)
    try {
      const answer = await process.get(path, { lastEventId, signal: ending.signal })
      tell({ type: 'head', id, status: answer.statusCode ?? 500 })
      if (path === 'api/changes') tellAwaited()
      for await (const piece of textOf(answer)) tell({ type: 'piece', id, text: piece })
      tell({ type: 'end', id })
    } catch (error) {
      if (ending.signal.aborted) return
      refuse(id, messageOf(error), error instanceof NoDashboard ? 'SVC: Show Output says more.' : undefined)
    } finally {
      open.delete(id)
    }
  }

  function refuse(id: number, message: string, hint?: string): void {
    tell({ type: 'failed', id, message, ...(hint !== undefined && { hint }) })
  }

  async function order(given: Order): Promise<void> {
    try {
      tell({ type: 'done', id: given.id, code: await carryOut(given, orders, process) })
    } catch (error) {
      refuse(given.id, messageOf(error))
    }
  }

  /** A page receives nothing before it listens; its request for changes shows that it does. */
  function tellAwaited(): void {
    if (awaited !== undefined) tell({ type: 'reveal', asset: awaited })
    awaited = undefined
  }

  return {
    take(given: unknown) {
      const message = messageFrom(given)
      if (message === undefined) return
      switch (message.type) {
        case 'ask':
          return void ask(message)
        case 'drop':
          return open.get(message.id)?.abort()
        case 'open':
          return void orders.open(message.path, message.line)
        default:
          return void order(message)
      }
    },
    /** Also sent to a page that opens later. */
    reveal(asset: string): void {
      awaited = asset
      if (open.size > 0) tellAwaited()
    },
    /** Call this when the page is closed. */
    drop(): void {
      for (const ending of open.values()) ending.abort()
      open.clear()
    },
  }
}

type Order = Extract<FromPage, { readonly type: 'run' | 'rollback' | 'cancel' }>

/** Returns the exit code of the started command, if it has one. */
async function carryOut(
  order: Order,
  orders: AnswersOptions['orders'],
  process: AnswersOptions['process'],
): Promise<number | null> {
  switch (order.type) {
    case 'run': {
      const { asset, mode } = order
      if (!orders.isAsset(asset)) throw new Error(`there is no asset ${asset} in this project`)
      return orders.run({ asset, upstream: `+${asset}`, downstream: `${asset}+` }[mode])
    }
    case 'rollback':
      if (!order.names.every(orders.isAsset)) throw new Error('not all of these are assets of this project')
      return orders.rollback(order.names)
    case 'cancel':
      return cancel(order.runId, process)
  }
}

/** Interrupts the process of a run, as Ctrl-C in its terminal does. */
async function cancel(runId: string, process: AnswersOptions['process']): Promise<number | null> {
  const about = await process.get('api/dashboard.json', { signal: new AbortController().signal })
  const { run } = (await json(about)) as JsonOf<'dashboard'>
  if (run?.run !== runId || !run.running || run.pid === null) throw new Error('that run is not running')
  global.process.kill(run.pid, 'SIGINT')
  return 0
}

/** Allows reading only. A run may be followed but not started, so an address with an asset is refused. */
export function isReadable(path: string): boolean {
  if (!path.startsWith('api/')) return false
  const { pathname, searchParams, origin } = new URL(path, 'http://page')
  if (origin !== 'http://page') return false
  if (pathname === '/api/stream/run') return searchParams.has('run') && !searchParams.has('asset')
  return readable.has(pathname)
}

async function* textOf(answer: IncomingMessage): AsyncGenerator<string> {
  answer.setEncoding('utf8')
  for await (const piece of answer) yield piece as string
}

/** Returns undefined if it is not a valid message. */
export function messageFrom(given: unknown): FromPage | undefined {
  if (typeof given !== 'object' || given === null || !('type' in given)) return undefined
  const message = given as Readonly<Record<string, unknown>>
  const { type, id, path, line, asset, mode, names, runId, lastEventId } = message
  const isNumbered = typeof id === 'number'
  const fits = {
    ask:
      isNumbered &&
      typeof path === 'string' &&
      (lastEventId === undefined || typeof lastEventId === 'string'),
    drop: isNumbered,
    run:
      isNumbered && typeof asset === 'string' && ['asset', 'upstream', 'downstream'].includes(String(mode)),
    rollback: isNumbered && Array.isArray(names) && names.every(name => typeof name === 'string'),
    cancel: isNumbered && typeof runId === 'string',
    open: typeof path === 'string' && isInProject(path) && typeof line === 'number',
  }
  return fits[type as keyof typeof fits] === true ? (given as FromPage) : undefined
}

/** Accepts relative paths inside the project only. */
function isInProject(path: string): boolean {
  return !/^([a-z]:|[\\/])/i.test(path) && !path.split(/[\\/]/).includes('..')
}
