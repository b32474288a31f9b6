/** Logs in at the server of a source as any other request is sent: with retries, limits and a line in the log, which has no body. */
import type { HttpClient, HttpClientOptions } from './http-client.ts'
import { createLogins, type LoginAnswer } from './login.ts'

/** A form that was taken often answers with a redirect to a page for people, which nobody has to see. */
const leadAway = Object.fromEntries([301, 302, 303, 307, 308].map(status => [status, 'skip' as const]))

export function loginsOf(options: HttpClientOptions, connect: (options: HttpClientOptions) => HttpClient) {
  const { login, ...template } = options.template
  if (login === undefined) return undefined
  const { url, method, headers, body, what } = login
  const { secrets } = template
  const client = connect({
    ...options,
    shownAs: undefined,
    ingest: { ...options.ingest, onStatus: leadAway, allowHosts: [] },
    template: { method, url, headers, secretParameters: {}, body: undefined, secrets },
  })
  const ask = async (): Promise<LoginAnswer> => {
    const answer = await client.send({ url, body, number: 1, what, followsNone: true })
    const pieces: Buffer[] = []
    for await (const piece of answer.body?.pieces() ?? []) pieces.push(piece)
    return { headers: answer.headers, body: Buffer.concat(pieces).toString('utf8') }
  }
  const { now } = options.context
  return {
    ...createLogins(ask, login, { secrets, now, shown: client.show(url) }),
    close: () => client.close(),
  }
}
