/** What is made of a response: a page, a failure that another try may mend, or one that it does not. */
import { join } from 'node:path'
import type { Dispatcher } from 'undici'
import type { SvcError } from '../../errors.ts'
import { readBody } from './body.ts'
import type { Headers, PageRequest, PageResponse, Sender } from './http-client.ts'
import { statusFailure } from './request-words.ts'
import { actionFor, askedToWaitMs, exhaustedForMs } from './retry.ts'

export type Outcome =
  | { readonly response: PageResponse }
  | { readonly failure: SvcError; readonly waitMs: number | undefined }

/** What is made of a response that is no redirect. */
export type Judge = (
  request: PageRequest,
  url: URL,
  answer: Dispatcher.ResponseData,
  headers: Headers,
  sender: Sender,
) => Promise<Outcome>

export async function judge(
  request: PageRequest,
  url: URL,
  answer: Dispatcher.ResponseData,
  headers: Headers,
  sender: Sender,
): Promise<Outcome> {
  const status = answer.statusCode
  const action = actionFor(status, sender.ingest.onStatus)
  const now = sender.context.now()
  const exhaustedMs = exhaustedForMs(headers, now)
  if (exhaustedMs !== undefined && exhaustedMs <= sender.maxPauseMs)
    sender.hosts.of(url.origin).pause(exhaustedMs)
  if (status === 304 && request.marks !== undefined) {
    await answer.body.dump()
    return { response: { request, url, status, action: 'skip', headers, body: undefined } }
  }
  if (action === 'skip' || action === 'end' || status === 204) {
    await answer.body.dump()
    return { response: { request, url, status, action, headers, body: undefined } as PageResponse }
  }
  const body = await readBody(answer.body, {
    encoding: headers['content-encoding'],
    contentType: headers['content-type'],
    limits: sender.ingest.limits,
    overflowPath: join(sender.context.spoolFolder, `body-${sender.nextBody()}`),
  })
  if (action === 'ok') return { response: { request, url, status, action, headers, body } }
  const failure = statusFailure(request, status, body, sender)
  if (action === 'fail') throw failure
  return { failure, waitMs: askedToWaitMs(headers, now) }
}

export function plainHeaders(headers: Dispatcher.ResponseData['headers']): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      // A cookie may have commas in it.
      Array.isArray(value) ? value.join(name.toLowerCase() === 'set-cookie' ? '\n' : ', ') : value,
    ]),
  )
}
