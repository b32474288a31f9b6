/** Turns Node's errors for failed connections into plain messages with a hint. Pure. */

const patience = 'Try again, or raise limits.timeout or limits.retries.'
const address = 'Check ingest.endpoint, and that the server runs.'
const encoding = 'The server compresses wrongly: tell its operator.'
const trust = 'If the server is the right one, name its authority in NODE_EXTRA_CA_CERTS.'

const known: readonly (readonly [code: RegExp, reason: string, hint: string])[] = [
  [/^ECONNREFUSED$/, 'the connection was refused: no server listens there', address],
  [/^ENOTFOUND$/, 'no such host is known', address],
  [/^EAI_AGAIN$/, 'the name of the host could not be looked up', 'Check the network and ingest.endpoint.'],
  [/^(?:EHOSTUNREACH|ENETUNREACH)$/, 'there is no way to the host', 'Check the network and ingest.endpoint.'],
  [/^(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'the host did not answer in time', address],
  [
    /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/,
    'the server closed the connection before the answer was complete',
    patience,
  ],
  [/^UND_ERR_RES_CONTENT_LENGTH_MISMATCH$/, 'the answer is not as long as it says', patience],
  [
    /^(?:Z_|ERR__ERROR_FORMAT|ERR_BROTLI|BROTLI)/,
    'the answer is not compressed as it says (gzip, br)',
    encoding,
  ],
  [/^(?:HPE_|UND_ERR_(?:HEADERS_)?OVERFLOW)/, 'the answer is not HTTP', address],
  [/CERT|^ERR_TLS|UNABLE_TO_VERIFY/, 'the certificate of the server is not trusted', trust],
  [
    /^(?:EPROTO|ERR_SSL)/,
    'the server does not speak TLS there',
    'Check whether ingest.endpoint begins with http: or https:.',
  ],
]

/** Returns the message, with the error code so that users can look it up. */
export function inWords(error: unknown): { readonly reason: string; readonly hint: string } {
  const code = codeOf(error)
  const entry = known.find(([pattern]) => pattern.test(code))
  if (entry === undefined) return { reason: reasonOf(error), hint: patience }
  return { reason: `${entry[1]} (${code})`, hint: entry[2] }
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/**
 * Returns the message of an error; aggregate errors (several addresses of one host) have none of their own.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0])
  return error instanceof Error ? error.message.trim() || error.name : String(error)
}
