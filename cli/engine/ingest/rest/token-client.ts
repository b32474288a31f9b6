/** Asks the token server of a source as any other server: with retries, limits and a line in the log, which has no form. */
import { type AccessTokens, createAccessTokens } from './access-token.ts'
import type { HttpClient, HttpClientOptions } from './http-client.ts'

export interface ClosableTokens extends AccessTokens {
  close(): Promise<void>
}

export function tokensOf(
  options: HttpClientOptions,
  connect: (options: HttpClientOptions) => HttpClient,
): ClosableTokens | undefined {
  const { token, ...template } = options.template
  if (token === undefined) return undefined
  const { url, headers, form } = token
  const { secrets } = template
  const client = connect({
    ...options,
    ingest: { ...options.ingest, onStatus: {}, allowHosts: [] },
    template: { method: 'POST', url, headers, secretParameters: {}, body: undefined, secrets },
  })
  const request = { url, body: form, number: 1, what: 'the token' }
  const shown = client.show(url)
  const { now } = options.context
  return {
    ...createAccessTokens(() => client.send(request), { secrets, now, shown }),
    close: () => client.close(),
  }
}
