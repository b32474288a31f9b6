import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { trackConnections } from '../../../hosted-api/operation/connections.ts'
import { createHttpServer, createStopping, listen } from '../../../hosted-api/operation/index.ts'

/** More than the buffers of both ends hold. */
const answer = Buffer.alloc(48 * 1024 * 1024, 'x')
const limits = { connections: 100, headerTime: 10, requestTime: 30, uploadTime: 30 }

let server: Server | undefined
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server?.closeAllConnections()
})

async function serve(deadline: number) {
  const started = createHttpServer(limits, (request, response) => {
    const body = request.url === '/large' ? answer : Buffer.from('small')
    response.writeHead(200, { 'Content-Length': body.length }).end(body)
  })
  server = started
  const connections = trackConnections(started)
  await listen(started, '127.0.0.1', 0)
  const { stop } = createStopping({ drain: 0, deadline })
  return { stop: () => stop(started, connections), port: (started.address() as AddressInfo).port }
}

function open(port: number, text: string) {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  socket.write(text)
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()))
  return { socket, closed }
}

/** A reader that has seen the begin of a large answer and then does something else. */
async function reader(port: number) {
  const { socket, closed } = open(port, 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n')
  let size = 0
  socket.on('data', (chunk: Buffer) => {
    size += chunk.length
  })
  await new Promise(resolve => socket.once('data', resolve))
  socket.pause()
  return { socket, closed, size: () => size }
}

it('an answer that is being read is read to its end', async () => {
  const { stop, port } = await serve(20)
  const slow = await reader(port)
  const stopped = stop()
  await wait(400)
  slow.socket.resume()
  await slow.closed
  expect(slow.size()).toBeGreaterThan(answer.length)
  expect(await stopped).toBe(true)
})

it('an answer that nobody reads is cut at the deadline, which is told', async () => {
  const { stop, port } = await serve(0.5)
  const stuck = await reader(port)
  expect(await stop()).toBe(false)
  stuck.socket.resume()
  await stuck.closed
  expect(stuck.size()).toBeLessThan(answer.length)
})

it('idle connections are closed at once, and a request that has begun is answered', async () => {
  const { stop, port } = await serve(20)
  const silent = open(port, '')
  const idle = open(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await new Promise(resolve => idle.socket.once('data', resolve))
  const late = open(port, 'GET / HTTP/1.1\r\nHo')
  await wait(50)
  const stopped = stop()
  await Promise.all([silent.closed, idle.closed])
  let text = ''
  late.socket.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  late.socket.write('st: x\r\n\r\n')
  await late.closed
  expect(text).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*small$/)
  expect(await stopped).toBe(true)
})
