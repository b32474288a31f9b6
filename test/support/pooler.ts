/**
 * A pooler in front of a PostgreSQL server, as small as one can be: clients share its connections to the server, one for each
 * transaction or one for each session, as PgBouncer does. It answers with process numbers of its own.
 */
import { createConnection, createServer, type Socket } from 'node:net'

export interface Pooler {
  /** The address of the database through the pooler. */
  readonly address: string
  close(): Promise<void>
}

export async function startPooler(database: string, mode: 'transaction' | 'session'): Promise<Pooler> {
  const url = new URL(database)
  const pool = new Pool(Number(url.port))
  const server = createServer(socket => serve(socket, pool, mode))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url.port = String(typeof address === 'object' ? address?.port : 0)
  return {
    address: url.href,
    async close() {
      pool.end()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** A connection to the server. Answers go to the client that has it. */
interface Backend {
  readonly socket: Socket
  readonly greeting: Buffer
  onMessage: (type: string, message: Buffer) => void
}

class Pool {
  readonly #port: number
  readonly #idle: Backend[] = []
  readonly #sockets = new Set<Socket>()

  constructor(port: number) {
    this.#port = port
  }

  /** The connection that was used last is used next, as PgBouncer does. */
  async take(startup: Buffer): Promise<Backend> {
    return this.#idle.pop() ?? (await this.#open(startup))
  }

  give(backend: Backend): void {
    this.#idle.push(backend)
  }

  follow(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#sockets.delete(socket))
  }

  end(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  #open(startup: Buffer): Promise<Backend> {
    const socket = createConnection(this.#port, '127.0.0.1')
    this.follow(socket)
    socket.write(startup)
    return new Promise((resolve, reject) => {
      socket.on('error', reject)
      const greeting: Buffer[] = []
      let backend: Backend | undefined
      socket.on(
        'data',
        splitter((type, message) => {
          if (backend !== undefined) return backend.onMessage(type, message)
          greeting.push(message)
          if (type !== 'Z') return
          backend = { socket, greeting: Buffer.concat(greeting), onMessage: () => undefined }
          resolve(backend)
        }),
      )
    })
  }
}

/** Cuts a stream into messages: a letter, a length, a body. */
function splitter(onMessage: (type: string, message: Buffer) => void) {
  let rest = Buffer.alloc(0)
  return (data: Buffer): void => {
    rest = Buffer.concat([rest, data])
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const end = rest.readUInt32BE(1) + 1
      const message = rest.subarray(0, end)
      rest = rest.subarray(end)
      onMessage(String.fromCharCode(message[0] ?? 0), message)
    }
  }
}

const sslRequest = 80877103
const cancelRequest = 80877102
let clients = 900_000

function serve(client: Socket, pool: Pool, mode: 'transaction' | 'session'): void {
  pool.follow(client)
  let startup: Buffer | undefined
  let backend: Backend | undefined
  /** Questions that the server has not finished. */
  let open = 0
  let work = Promise.resolve()

  async function forward(type: string, message: Buffer): Promise<void> {
    if (type === 'X') return void client.end()
    backend ??= await pool.take(startup ?? Buffer.alloc(0))
    const mine = backend
    mine.onMessage = (answer, bytes) => {
      client.write(bytes)
      if (answer !== 'Z') return
      open -= 1
      if (open > 0 || bytes[5] !== 'I'.charCodeAt(0) || mode === 'session') return
      backend = undefined
      pool.give(mine)
    }
    if (type === 'Q' || type === 'S') open += 1
    mine.socket.write(message)
  }

  async function greet(first: Buffer): Promise<void> {
    startup = Buffer.from(first)
    const taken = await pool.take(startup)
    client.write(withProcess(taken.greeting, ++clients))
    if (mode === 'session') backend = taken
    else pool.give(taken)
  }

  const messages = splitter((type, message) => {
    const copy = Buffer.from(message)
    work = work.then(() => forward(type, copy))
  })
  client.on('data', data => {
    if (startup !== undefined) return messages(data)
    const code = data.readUInt32BE(4)
    if (code === cancelRequest) return void client.end()
    if (code === sslRequest) return void client.write('N')
    startup = data
    work = work.then(() => greet(data))
  })
  // A session that ends in the middle of a transaction takes its connection with it.
  client.on('close', () => backend?.socket.destroy())
}

/** The greeting with another process number, as a pooler gives its clients. */
function withProcess(greeting: Buffer, process: number): Buffer {
  const copy = Buffer.from(greeting)
  for (let at = 0; at < copy.length; at += copy.readUInt32BE(at + 1) + 1)
    if (copy[at] === 'K'.charCodeAt(0)) copy.writeUInt32BE(process, at + 5)
  return copy
}
