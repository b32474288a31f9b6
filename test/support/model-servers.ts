/**
 * Servers on the loopback that speak the wire formats of the providers of language models, as these really stream: pieces
 * that end anywhere, events that carry no text, usage at the end, their own bodies of errors.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export const providers = ['openai', 'anthropic', 'gemini', 'ollama'] as const
export type WireFormat = (typeof providers)[number]

/** How the server behaves for one request. */
export type Reply =
  | { readonly text: string; readonly end?: 'whole' | 'cut' }
  /** An answer of HTTP, with the provider's body of an error. */
  | { readonly status: number; readonly message: string; readonly headers?: Readonly<Record<string, string>> }
  /** The connection is closed in the middle. */
  | { readonly drop: string }
  /** The stream ends in order, before the provider said that it is whole. */
  | { readonly short: string }
  /** The stream says that it failed. */
  | { readonly broken: string }
  /** Headers, and then nothing. */
  | { readonly silent: true }
  /** Text without end. */
  | { readonly endless: string }

export interface ModelRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

export interface ModelServer {
  /** What `--endpoint` takes. */
  readonly endpoint: string
  readonly requests: readonly ModelRequest[]
  /** Replies in order; the last one stays. */
  replies: readonly Reply[]
  close(): Promise<void>
}

export async function startModelServer(format: WireFormat): Promise<ModelServer> {
  const requests: ModelRequest[] = []
  let replies: readonly Reply[] = []
  let next = 0
  const server = createServer((incoming, response) => {
    void readBody(incoming).then(body => {
      const path = incoming.url ?? ''
      requests.push({ path, headers: incoming.headers as ModelRequest['headers'], body })
      if (!path.startsWith(wires[format].path)) return void response.writeHead(404).end('no such path')
      const reply = replies[Math.min(next++, replies.length - 1)]
      return send(format, reply ?? { status: 500, message: 'no reply is planned' }, response)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}${wires[format].base}`,
    requests,
    get replies() {
      return replies
    },
    set replies(planned) {
      replies = planned
      next = 0
    },
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

async function send(format: WireFormat, reply: Reply, response: ServerResponse): Promise<void> {
  const wire = wires[format]
  if ('status' in reply) {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    response.end(JSON.stringify(wire.error(reply.status, reply.message)))
    return
  }
  response.writeHead(200, { 'content-type': wire.contentType })
  response.write(wire.start)
  if ('silent' in reply) return
  if ('endless' in reply) {
    const timer = setInterval(() => response.write(wire.piece(reply.endless)), 1)
    response.on('close', () => clearInterval(timer))
    return
  }
  const text =
    'text' in reply
      ? reply.text
      : 'drop' in reply
        ? reply.drop
        : 'short' in reply
          ? reply.short
          : reply.broken
  const stream = Buffer.from(pieces(text).map(wire.piece).join(''))
  // A piece of the network ends anywhere, also within a character.
  for (let at = 0; at < stream.length; at += 997) {
    response.write(stream.subarray(at, at + 997))
    await new Promise(resolve => setImmediate(resolve))
  }
  if ('drop' in reply) response.destroy()
  else if ('short' in reply) response.end()
  else if ('broken' in reply) response.end(wire.broken)
  else response.end(wire.end(reply.end ?? 'whole'))
}

function pieces(text: string): readonly string[] {
  return text.match(/[\s\S]{1,23}/g) ?? []
}

interface Wire {
  readonly base: string
  readonly path: string
  readonly contentType: string
  readonly start: string
  piece(text: string): string
  end(how: 'whole' | 'cut'): string
  readonly broken: string
  error(status: number, message: string): unknown
}

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const event = (value: { readonly type: string }) => `event: ${value.type}\n${data(value)}`
const line = (value: unknown) => `${JSON.stringify(value)}\n`

const chunk = (more: object) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'test-model',
  system_fingerprint: 'fp_1',
  ...more,
})
const choice = (delta: object, finish: string | null = null) =>
  chunk({ choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }], usage: null })

const openai: Wire = {
  base: '/v1',
  path: '/v1/chat/completions',
  contentType: 'text/event-stream; charset=utf-8',
  start: data(choice({ role: 'assistant', content: '', refusal: null })),
  piece: text => data(choice({ content: text })),
  end: how =>
    [
      data(choice({}, how === 'cut' ? 'length' : 'stop')),
      data(
        chunk({ choices: [], usage: { prompt_tokens: 1200, completion_tokens: 300, total_tokens: 1500 } }),
      ),
      'data: [DONE]\n\n',
    ].join(''),
  broken: data({
    error: { message: 'The server had an error', type: 'server_error', param: null, code: null },
  }),
  error: (status, message) => ({
    error: {
      message,
      type: status === 429 ? 'rate_limit_error' : 'invalid_request_error',
      param: null,
      code: null,
    },
  }),
}

const anthropic: Wire = {
  base: '/v1',
  path: '/v1/messages',
  contentType: 'text/event-stream; charset=utf-8',
  start: [
    event({
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'test-model',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 1200, output_tokens: 1 },
      },
    } as { type: string }),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } as {
      type: string
    }),
    event({ type: 'ping' }),
  ].join(''),
  piece: text =>
    event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } } as { type: string }),
  end: how =>
    [
      event({ type: 'content_block_stop', index: 0 } as { type: string }),
      event({
        type: 'message_delta',
        delta: { stop_reason: how === 'cut' ? 'max_tokens' : 'end_turn', stop_sequence: null },
        usage: { output_tokens: 300 },
      } as { type: string }),
      event({ type: 'message_stop' }),
    ].join(''),
  broken: event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } as {
    type: string
  }),
  error: (status, message) => ({
    type: 'error',
    error: { type: status === 401 ? 'authentication_error' : 'api_error', message },
  }),
}

const candidate = (text: string, finish?: string) => ({
  candidates: [
    { content: { parts: [{ text }], role: 'model' }, ...(finish && { finishReason: finish }), index: 0 },
  ],
  usageMetadata: { promptTokenCount: 1200, candidatesTokenCount: 300, totalTokenCount: 1500 },
  modelVersion: 'test-model',
  responseId: 'r1',
})

const gemini: Wire = {
  base: '/v1beta',
  path: '/v1beta/models/test-model:streamGenerateContent?alt=sse',
  contentType: 'text/event-stream',
  start: '',
  piece: text => data(candidate(text)),
  end: how => data(candidate('', how === 'cut' ? 'MAX_TOKENS' : 'STOP')),
  broken: data({ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }),
  error: (status, message) => ({ error: { code: status, message, status: 'UNAVAILABLE' } }),
}

const said = (more: object) => ({ model: 'test-model', created_at: '2026-01-01T00:00:00.000000Z', ...more })

const ollama: Wire = {
  base: '',
  path: '/api/chat',
  contentType: 'application/x-ndjson',
  start: '',
  piece: text => line(said({ message: { role: 'assistant', content: text }, done: false })),
  end: how =>
    line(
      said({
        message: { role: 'assistant', content: '' },
        done_reason: how === 'cut' ? 'length' : 'stop',
        done: true,
        total_duration: 5_000_000,
        load_duration: 1_000_000,
        prompt_eval_count: 1200,
        prompt_eval_duration: 1_000_000,
        eval_count: 300,
        eval_duration: 3_000_000,
      }),
    ),
  broken: line({ error: 'an internal error was encountered' }),
  error: (_status, message) => ({ error: message }),
}

const wires: Readonly<Record<WireFormat, Wire>> = { openai, anthropic, gemini, ollama }
