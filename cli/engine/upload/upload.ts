/** Sends a context pack to the hosted store, and turns its answer into a report or an SvcError. */
import type { ContextPack } from '@svc/server/contract'
import { fetch as send } from 'undici'
import {
  createHostedClient,
  HostedError,
  type PackWrapper,
  Unreachable,
  UnreadableAnswer,
  type UploadResult,
  uploadContextPack,
} from '../../../hosted-api/client/index.ts'
import { SvcError } from '../errors.ts'
import { createDispatcher } from '../ingest/rest/dispatcher.ts'
import type { HostedTarget } from './hosted-target.ts'

export interface UploadOptions {
  readonly source: string
  readonly dryRun: boolean
  readonly rebind: boolean
  readonly overwriteGlossary: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
  /** Called with one line when it waits for another upload. */
  readonly onWait: (line: string) => void
}

/** A store of the bare contract (interface.md 2.9) answers with counts alone. */
export type UploadAnswer = Omit<UploadResult, 'upload'> & Partial<Pick<UploadResult, 'upload'>>

/** The timeout of one try in milliseconds; a large pack takes a while to send and to store. */
const timeout = 300_000

/** Throws SvcError `hosted-refused`, `http-failed`, `http-body`, `interrupted`. */
export async function uploadPack(
  pack: ContextPack,
  target: HostedTarget,
  options: UploadOptions,
): Promise<UploadAnswer> {
  const dispatcher = createDispatcher(1, options.env)
  const client = createHostedClient({
    url: target.url,
    token: target.token,
    timeout,
    onWait: ({ detail }) => options.onWait(`${detail} Waiting for it.`),
    fetch: ((url: string, init: object) => send(url, { ...init, dispatcher })) as unknown as typeof fetch,
  })
  try {
    const { data } = await client.call(
      uploadContextPack,
      {
        path: { project: target.project },
        query: {
          ...(options.dryRun && { dry_run: true }),
          ...(options.rebind && { rebind: true }),
          ...(options.overwriteGlossary && { glossary: 'overwrite' }),
        },
        body: { context_pack: pack, source: options.source } as unknown as PackWrapper,
      },
      { compress: true, signal: options.signal },
    )
    return readAnswer(data, target, options)
  } catch (error) {
    throw toldError(error, target, options)
  } finally {
    await dispatcher.close().catch(() => {})
  }
}

const counts = ['assets_synced', 'lineage_edges_synced', 'schemas_synced', 'tests_synced'] as const

/** Throws SvcError `hosted-refused`, `http-body` for what does not say that the pack was taken. */
function readAnswer(data: unknown, { url }: HostedTarget, { dryRun }: UploadOptions): UploadAnswer {
  const answer = typeof data === 'object' && data !== null ? (data as Readonly<Record<string, unknown>>) : {}
  if (answer['success'] === false) {
    throw new SvcError('hosted-refused', 'the hosted store says that it did not take the upload', {
      hint: 'Its log has more; sending the pack again is safe.',
    })
  }
  const missing = counts.filter(name => !Number.isInteger(answer[name]))
  if (answer['success'] === true && missing.length === 0) {
    const read = answer as unknown as UploadAnswer
    if (!dryRun || read.upload?.dry_run === true) return read
    throw new SvcError('http-body', `the answer of ${url} does not say that it was a dry run`, {
      hint: 'This store may not know dry runs, and have taken the pack.',
    })
  }
  const what = missing.length === 0 ? 'success' : missing.join(', ')
  throw new SvcError('http-body', `the answer of ${url} is not one to an upload: it has no ${what}`, {
    hint: 'Does the address (--url) end before /api/svc, and is it a hosted store? Whether the pack was taken is not known.',
  })
}

function toldError(error: unknown, target: HostedTarget, { signal }: UploadOptions): unknown {
  if (signal.aborted)
    return new SvcError('interrupted', 'the upload was stopped', { hint: 'Sending it again is safe.' })
  if (error instanceof HostedError) {
    const details = detailsOf(error)
    return new SvcError('hosted-refused', `the hosted store refused the upload: ${details}`, {
      hint: hintOf(error, target),
      cause: error,
    })
  }
  if (error instanceof Unreachable) {
    return new SvcError('http-failed', error.message, {
      hint: 'Check the address (--url) and the network; nothing is stored in part, and trying again is safe.',
      cause: error,
    })
  }
  if (error instanceof UnreadableAnswer) {
    return new SvcError('http-body', error.message, {
      hint: 'The address ends before /api/svc; a proxy or a login page in between answers with HTML.',
      cause: error,
    })
  }
  return error
}

/**
 * The number of mistakes that are shown with their places, for example when an older svc sends a pack that
 * the store refuses.
 */
const mostErrors = 5

function detailsOf({ status, problem }: HostedError): string {
  if (status === 401) return 'it does not know the token'
  const errors = (problem.errors ?? []).slice(0, mostErrors)
  if (errors.length === 0) return problem.detail
  const rest = (problem.errors?.length ?? 0) - errors.length
  const lines = errors.map(each => `${each.pointer || '/'}: ${each.detail}`)
  return [problem.title, ...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n  ')
}

function hintOf({ status, code, headers, problem }: HostedError, { project, url }: HostedTarget): string {
  const requestId = `request ${problem.request_id}`
  switch (status) {
    case 401:
      return 'The token is unknown, expired or revoked: make a new one with svc-hosted token create.'
    case 403:
      return 'The token lacks the scope metadata:upload: svc-hosted token create --scope ci makes one that has it.'
    case 404:
      return `${url} has no project ${project} that the token may see: check --project.`
    case 409:
      return code === 'project_mismatch'
        ? 'Check --project; --rebind stores this project there from now on.'
        : 'It has not ended within two minutes: try again later.'
    case 413:
      return 'The pack is larger than the store allows (svc-hosted serve --max-upload).'
    case 422:
      return 'The store does not know what this version of svc sends: update the older one of the two.'
    case 429:
      return `The token may upload again in ${headers.get('retry-after') ?? 'some'} seconds.`
    default:
      return `Nothing was stored. The log of the store has more under ${requestId}.`
  }
}
