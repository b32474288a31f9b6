/** What a handler gives back; how it becomes bytes is the server's business. */
export interface Reply {
  readonly status: number
  /** Becomes JSON. Bytes are sent as they are, with the `Content-Type` of `headers`. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export function ok(body: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status: 200, body, headers }
}

export function created(
  location: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { status: 201, body, headers: { Location: location, ...headers } }
}
