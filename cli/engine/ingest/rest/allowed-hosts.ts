/** To which hosts the requests of a source may go (decisions 3). */
import { SvcError } from '../../errors.ts'
import type { HttpClientOptions } from './http-client.ts'

/** Throws SvcError `host-not-allowed`. */
export function refuseOtherHosts(
  url: URL,
  why: string,
  { ingest, template }: Pick<HttpClientOptions, 'ingest' | 'template'>,
): void {
  const { origin, host } = template.url
  if (url.origin === origin) return
  const isWeb = url.protocol === 'https:' || (url.protocol === 'http:' && template.url.protocol === 'http:')
  if (isWeb && ingest.allowHosts.some(allowed => allowed === url.host || allowed === url.hostname)) return
  const start = `${why} leads from ${url.host === host ? origin : host}`
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new SvcError('host-not-allowed', `${start} to an address that starts with ${url.protocol}`, {
      hint: 'Only addresses with http: and https: are followed: tell the owner of the service.',
    })
  }
  throw new SvcError('host-not-allowed', `${start} to ${url.host === host ? url.origin : url.host}`, {
    hint: isWeb
      ? `If that is right, write ingest.allow_hosts: [${url.host}]; credentials are not sent there.`
      : `Write ingest.endpoint with ${url.protocol}// if that is where it is.`,
  })
}
