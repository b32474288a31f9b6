/** The routes of the dashboard (interface.md 4.3, decisions 6). Requests have passed the guard before. */

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JsonOf, RunFacts } from '@svc/server/contract'
import { columnPath } from '@svc/server/language'
import { openEventStream } from './event-stream.ts'
import type { FileChecks } from './file-checks.ts'
import { sendJson } from './front-door.ts'
import type { Right } from './guard.ts'
import type { ProjectFiles } from './project-files.ts'
import { eventIdOf, isRunId, jsonBodyOf, rollbackOf, selectorOf } from './requests.ts'
import type { RollbackPreviews } from './rollback-preview.ts'
import type { RunHandle, RunOrder, Runs, Started } from './runs.ts'

export interface Route {
  readonly right: Right
  /** Whether it requires `POST`. */
  readonly changes: boolean
  /** Whether it starts something; such routes are absent with `--read-only`. */
  readonly starts: boolean
  answer(asked: Request): Promise<void>
}

export interface Request {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly query: URLSearchParams
}

export interface RoutesOptions {
  readonly files: ProjectFiles
  readonly checks: FileChecks
  readonly runs: Runs
  readonly previews: RollbackPreviews
  readonly environment: string
  readonly readOnly: boolean
}

export function createRoutes(options: RoutesOptions): ReadonlyMap<string, Route> {
  const { files, checks, runs, environment, readOnly } = options
  const read = (answer: (query: URLSearchParams) => Promise<unknown>): Route => ({
    right: 'read',
    changes: false,
    starts: false,
    answer: async ({ response, query }) => sendJson(response, 200, await answer(query)),
  })
  const about = async (): Promise<JsonOf<'dashboard'>> => {
    const changed = await files.changed()
    return {
      project: (await files.catalog()).project.name,
      environment,
      read_only: readOnly,
      has_run: await files.hasRun(),
      stale: changed.length > 0,
      changed,
      run: runs.latest ?? null,
    }
  }
  const action = { right: 'run', changes: true, starts: true } as const
  return new Map<string, Route>([
    ['/api/catalog.json', read(() => files.catalog())],
    ['/api/quality.json', read(() => files.quality())],
    ['/api/history.json', read(() => files.history())],
    ['/api/problems.json', read(async () => checks.latest())],
    ['/api/glossary.json', read(() => files.glossary())],
    ['/api/dashboard.json', read(about)],
    ['/api/column-path.json', { ...read(async () => null), answer: asked => tellColumnPath(asked, files) }],
    [
      '/api/changes',
      { right: 'read', changes: false, starts: false, answer: asked => tellChanges(asked, options) },
    ],
    [
      '/api/stream/run',
      // Following a run that was started elsewhere starts nothing, so a read-only dashboard may do it.
      { right: 'run', changes: false, starts: false, answer: asked => streamRun(asked, options) },
    ],
    ['/api/run/cancel', { ...action, answer: asked => cancel(asked, runs) }],
    [
      '/api/rollback.json',
      { right: 'run', changes: false, starts: true, answer: asked => preview(asked, options) },
    ],
    ['/api/rollback', { ...action, answer: asked => rollBack(asked, options) }],
  ])
}

function refuse(response: ServerResponse, status: number, error: string, more: object = {}): void {
  sendJson(response, status, { error, ...more })
}

// ---------------------------------------------------------------- reads

async function tellColumnPath({ response, query }: Request, files: ProjectFiles): Promise<void> {
  const path = columnPath(await files.catalog(), query.get('asset') ?? '', query.get('column') ?? '')
  if (path === undefined) refuse(response, 404, 'no such column')
  else sendJson(response, 200, path)
}

/**
 * Streams changes. `change`: a run has written something. `stale`: files differ from the catalogue. `problems`:
 * the files were checked. `run`: a run has started, from another page or from a terminal.
 */
async function tellChanges({ response }: Request, { files, checks, runs }: RoutesOptions): Promise<void> {
  const stops = [
    files.onChange(change => {
      if (change === 'files') checks.again()
      else stream.send({ type: change === 'data' ? 'change' : change, data: {} })
    }),
    checks.onChecked(() => stream.send({ type: 'problems', data: {} })),
    runs.onStart(facts => stream.send({ type: 'run', data: facts })),
  ]
  const stream = openEventStream(response, () => {
    for (const stop of stops) stop()
  })
  // A page that connects during a run is told about it.
  if (runs.latest?.running === true) stream.send({ type: 'run', data: runs.latest })
}

// ---------------------------------------------------------------- runs

/**
 * Streams a run. A known `run` id is followed and never started again; a page that reconnects
 * (`Last-Event-ID`) gets the events that it has not seen. 204 tells an `EventSource` to stop reconnecting.
 */
async function streamRun({ request, response, query }: Request, options: RoutesOptions): Promise<void> {
  const { runs } = options
  const last = eventIdOf(header(request, 'last-event-id'))
  if (request.method === 'HEAD') return endStream(response)
  const id = query.get('run') ?? last?.run
  if (id !== undefined && !isRunId(id)) return refuse(response, 400, 'run is no id')
  const known = id === undefined ? undefined : (runs.find(id) ?? (await pastRun(query, id, runs)))
  if (known !== undefined) {
    return follow(response, known, last !== undefined && last.run === id ? last.sequence + 1 : 0)
  }
  if (options.readOnly) return refuse(response, 403, 'this dashboard is read-only')
  // The page has events of this run, so it was started by an earlier dashboard, or too long ago.
  if (last !== undefined) return endStream(response)
  const asset = query.get('asset')
  if (asset === null && id !== undefined) return refuse(response, 404, 'no run of that id is known here')
  const order = await orderOf(asset ?? '', options)
  if (order === undefined) {
    return refuse(response, 400, 'asset is no selector of one asset: name, +name, name+ or +name+')
  }
  answerStarted(response, runs.start(id ?? randomUUID(), order), run => follow(response, run, 0))
}

/** A request without an asset asks for a run that exists, so it may have ended long ago. */
async function pastRun(query: URLSearchParams, id: string, runs: Runs): Promise<RunHandle | undefined> {
  return query.has('asset') ? undefined : runs.open?.(id)
}

async function orderOf(value: string, { files, environment }: RoutesOptions): Promise<RunOrder | undefined> {
  const selected = selectorOf(value)
  if (selected === undefined || !(await namesOf(files)).has(selected.asset)) return undefined
  const { selector } = selected
  return { kind: 'run', selector, words: ['run', selector, '--env', environment] }
}

async function namesOf(files: ProjectFiles): Promise<ReadonlySet<string>> {
  return new Set((await files.catalog()).assets.map(({ name }) => name))
}

function answerStarted(response: ServerResponse, started: Started, go: (run: RunHandle) => void): void {
  if (started.kind === 'gone') endStream(response)
  else if (started.kind === 'busy') refuseBusy(response, started.other)
  else go(started.run)
}

function refuseBusy(response: ServerResponse, other: RunFacts): void {
  const stream = `/api/stream/run?run=${other.run}`
  refuse(response, 409, `a ${other.kind} of ${other.selector ?? 'everything'} is in progress`, {
    run: other,
    stream,
  })
}

function follow(response: ServerResponse, run: RunHandle, from: number): void {
  if (!run.facts.running && from >= run.next) {
    endStream(response)
    return
  }
  let stop = () => {}
  const stream = openEventStream(response, () => stop())
  stop = run.follow(from, ({ sequence, fact }) => {
    stream.send({ id: `${run.facts.run}:${sequence}`, type: fact.type, data: fact })
    if (fact.type === 'end') stream.close()
  })
}

function endStream(response: ServerResponse): void {
  response.writeHead(204).end()
}

async function cancel({ response, query }: Request, runs: Runs): Promise<void> {
  const id = query.get('run') ?? ''
  const facts = runs.find(id)?.facts
  if (runs.cancel(id)) sendJson(response, 202, { run: id })
  else if (facts?.running === true)
    refuse(response, 409, 'it was begun elsewhere: stop it there, with Ctrl-C')
  else refuse(response, 404, 'that run is not running')
}

// ---------------------------------------------------------------- rollback

async function preview({ response, query }: Request, { previews, files }: RoutesOptions): Promise<void> {
  const names = query.getAll('asset')
  const known = await namesOf(files)
  if (!names.every(name => known.has(name))) return refuse(response, 400, 'no such asset')
  const told = await previews(names)
  if ('error' in told) refuse(response, told.status, told.error)
  else sendJson(response, 200, told.preview)
}

async function rollBack({ request, response }: Request, options: RoutesOptions): Promise<void> {
  const { files, runs, environment } = options
  const wanted = rollbackOf(await jsonBodyOf(request))
  const known = await namesOf(files)
  if (wanted?.assets?.every(name => known.has(name)) === false || wanted === undefined) {
    return refuse(response, 400, 'the body is {"assets": [names]} of known assets, or {} for all of them')
  }
  const selector = wanted.assets?.join(',') ?? null
  const words = ['rollback', ...(selector === null ? ['--all'] : [selector]), '--env', environment]
  const started = runs.start(wanted.run ?? randomUUID(), { kind: 'rollback', selector, words })
  answerStarted(response, started, run => {
    sendJson(response, 202, { run: run.facts, stream: `/api/stream/run?run=${run.facts.run}` })
  })
}

function header({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}
