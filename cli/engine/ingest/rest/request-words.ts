/** What is said of a request: its address without credentials, and why it failed. */
import { SvcError } from '../../errors.ts'
import type { Body, BodyProblem } from './body.ts'
import type { HttpClient, PageRequest } from './http-client.ts'
import { inWords } from './network-words.ts'
import type { RequestTemplate } from './request-template.ts'

type Shown = Pick<HttpClient, 'show'>

interface Asked extends Shown {
  readonly template: RequestTemplate
  readonly shownAs?: URL | undefined
  readonly tellsFirst?: boolean
}

/**
 * Removes the parameters of the authentication from a redirect, because svc adds them itself where they may
 * be sent.
 */
export function withoutParameters(url: URL, template: RequestTemplate): URL {
  const names = [...Object.keys(template.secretParameters), ...(template.login?.parameters ?? [])]
  for (const name of names) url.searchParams.delete(name)
  return url
}

export function shownAddress(url: URL, template: RequestTemplate): string {
  const shown = withoutParameters(new URL(url), template)
  shown.username = ''
  shown.password = ''
  return template.secrets.hide(shown.href)
}

export function page(request: PageRequest, sender: Shown): string {
  return `${request.what ?? `page ${request.number}`} (${sender.show(request.url)})`
}

export function networkFailure(request: PageRequest, sender: Asked, error: unknown): SvcError {
  const { reason, hint } = inWords(error)
  const message = `${page(request, sender)}: ${sender.template.secrets.hide(reason)}`
  return new SvcError('http-failed', message, { hint, cause: error })
}

/** Returns whether a retry cannot help: an untrusted certificate, or a header that cannot be sent. */
export function isPermanent(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code === 'UND_ERR_INVALID_ARG' || /CERT|^ERR_TLS|UNABLE_TO_VERIFY/.test(code)
}

export function statusFailure(request: PageRequest, status: number, body: Body, sender: Asked): SvcError {
  const isTold = sender.tellsFirst === true && request.number === 1
  const said = excerpt(body, isTold ? { template: sender.template } : sender)
  return new SvcError(
    'http-status',
    `${page(request, sender)}: status ${status}${said === '' ? '' : `, ${said}`}`,
    { hint: hintFor(status), facts: { status } },
  )
}

/** Statuses of the 400s that speak of who asks, or how often, and not of what is asked for. */
const aboutTheAsker = [401, 403, 407, 408, 425, 429]

/** Returns whether the server understood the request and takes it for a wrong one, so that asking again is of no use. */
export function isRefusal(error: unknown): error is SvcError {
  const status =
    error instanceof SvcError && error.code === 'http-status' ? error.facts?.['status'] : undefined
  return typeof status === 'number' && status >= 400 && status < 500 && !aboutTheAsker.includes(status)
}

function hintFor(status: number): string {
  if (status === 401 || status === 403) return 'Check ingest.auth and the credentials in the environment.'
  if (status === 404) return 'Check ingest.endpoint and ingest.resource.'
  if (status === 429) return 'Lower limits.rate, or raise limits.retries.'
  if (status >= 500)
    return 'The server failed: run again later, or say with ingest.on_status what to do about it.'
  return 'Say with ingest.on_status what to do about it: retry, skip, end or fail.'
}

/** Returns the beginning of a body as one short line. */
export function excerpt(body: Body, { template, shownAs }: Pick<Asked, 'template' | 'shownAs'>): string {
  if (shownAs !== undefined) return ''
  const text = template.secrets.hide(body.head.toString('utf8')).replace(/\s+/g, ' ').trim()
  if (text === '') return ''
  return `it says ${JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text)}`
}

export function bodyProblem(request: PageRequest, sender: Asked, problem: BodyProblem): SvcError {
  return new SvcError('http-body', `${page(request, sender)} ${problem.message}`, { cause: problem })
}

export function showSeconds(milliseconds: number): string {
  const seconds = milliseconds / 1000
  if (seconds >= 5400) return `${Number((seconds / 3600).toFixed(1))} h`
  if (seconds >= 90) return `${Number((seconds / 60).toFixed(1))} min`
  return seconds >= 10 ? `${Math.round(seconds)} s` : `${Number(seconds.toFixed(1))} s`
}
