/** E-mail by SMTP. */
import type { Notifier } from '@svc/server/language'
import { resolveText } from '../ingest/credentials.ts'
import { inWords } from '../ingest/rest/network-words.ts'
import { parseUrl } from '../ingest/rest/parse-url.ts'
import { footOf, lineOf, type Message } from './message.ts'
import { NotSent, type Sender, type SendTools } from './sender.ts'

export const sendEmail: Sender = async (notifier, message, tools) => {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(transportOf(notifier, tools))
  const stop = () => transport.close()
  tools.signal.addEventListener('abort', stop, { once: true })
  try {
    await Promise.race([transport.sendMail(mailOf(notifier, message)), aborted(tools.signal)])
  } catch (error) {
    throw failureOf(error, tools.signal)
  } finally {
    tools.signal.removeEventListener('abort', stop)
    transport.close()
  }
}

function transportOf({ endpoint, username, password, tls, limits }: Notifier, { env }: SendTools) {
  const url = parseUrl(resolveText(endpoint, env, 'notify endpoint'))
  if (url === undefined || !/^smtps?:$/.test(url.protocol))
    throw new NotSent('its endpoint is no address such as smtp://host:587', { isPassing: false })
  const secure = url.protocol === 'smtps:'
  const isPlain = tls === 'never' && !secure
  const name = isPlain ? undefined : username
  return {
    host: url.hostname,
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && !isPlain,
    ignoreTLS: isPlain,
    connectionTimeout: limits.timeoutMs,
    greetingTimeout: limits.timeoutMs,
    socketTimeout: limits.timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(name !== undefined && {
      auth: {
        user: resolveText(name, env, 'notify username'),
        pass: resolveText(password ?? '', env, 'notify password'),
      },
    }),
  }
}

function mailOf({ from, to }: Notifier, message: Message) {
  const { id, headline, items } = message
  return {
    from,
    to: [...(to ?? [])],
    subject: headline,
    text: [...items.map(item => `- ${lineOf(item)}`), '', footOf(message), ''].join('\n'),
    // Mail servers and readers know by it a message that comes once more.
    messageId: `<${id}@svc.invalid>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  const late = () => new NotSent('no answer in time', { isPassing: true })
  if (signal.aborted) return Promise.reject(late())
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(late()), { once: true }))
}

/** What a server says may name the addresses: only its status is told. */
function failureOf(error: unknown, signal: AbortSignal): NotSent {
  if (error instanceof NotSent) return error
  if (signal.aborted) return new NotSent('no answer in time', { isPassing: true })
  const { code, responseCode } = error as { readonly code?: string; readonly responseCode?: number }
  const isPassing = responseCode === undefined ? code !== 'EAUTH' && code !== 'ETLS' : responseCode < 500
  if (code === 'EAUTH') return new NotSent('the server refuses the login', { isPassing: false })
  if (responseCode !== undefined) return new NotSent(`the server says ${responseCode}`, { isPassing })
  if (code === 'ETLS') return new NotSent('the server offers no TLS that is trusted', { isPassing })
  const reason = code === 'ESOCKET' || code === 'ECONNECTION' ? causeOf(error) : inWords(error).reason
  return new NotSent(reason, { isPassing: isPassing && !/certificate/.test(reason) })
}

/** The library puts its own code over that of the connection. */
function causeOf(error: unknown): string {
  const text = error instanceof Error ? error.message : ''
  if (/certificate|self.signed|altnames/i.test(text)) return 'the certificate of the server is not trusted'
  const code = /\bE[A-Z]{4,}\b/.exec(text)?.[0]
  return code === undefined ? 'the connection failed' : `the connection failed (${code})`
}
