/** A small client: what goes in and comes out of a request, nothing hidden. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Parsed where it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any
  readonly text: string
}

export interface Client {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
  put(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
  patch(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
  delete(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** As it is: any method, any body. Paths begin with a slash. */
  send(method: string, path: string, init?: RequestInit): Promise<Answer>
}

export function createClient(url: string, token: string | undefined): Client {
  const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` }

  async function send(method: string, path: string, init: RequestInit = {}): Promise<Answer> {
    const headers = { ...authorization, ...(init.headers as Record<string, string> | undefined) }
    const response = await fetch(url + path, { ...init, method, headers, redirect: 'manual' })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true && text !== ''
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    }
  }

  const withBody =
    (method: string) =>
    (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
      send(method, path, {
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json', ...headers },
      })

  return {
    send,
    get: (path, headers = {}) => send('GET', path, { headers }),
    post: withBody('POST'),
    put: withBody('PUT'),
    patch: withBody('PATCH'),
    delete: (path, headers = {}) => send('DELETE', path, { headers }),
  }
}
