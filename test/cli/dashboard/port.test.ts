/** Who has a port, as far as it can be found out from outside. */
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { describePort } from '../../../cli/dashboard/port.ts'

let close = () => {}
afterEach(() => close())

async function listening(server: Server): Promise<number> {
  const sockets: Socket[] = []
  server.on('connection', socket => sockets.push(socket))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return (server.address() as AddressInfo).port
}

const answering = (text: string) => createHttpServer((_request, response) => response.end(text))

test.each([
  ['the dashboard of shop (dev)', answering('{"project":"shop","environment":"dev"}')],
  ['another program', answering('<h1>Hello</h1>')],
  ['another program', answering('null')],
  ['another program', answering('x'.repeat(100_000))],
  ['another program', createServer(socket => socket.end('SSH-2.0-OpenSSH_9.2\r\n'))],
])('%s has it', async (holder, server) => {
  expect(await describePort(await listening(server))).toBe(holder)
})

test('who does not answer is not called a program that svc does not know', async () => {
  const port = await listening(createServer(() => {}))
  expect(await describePort(port, 50)).toBe('a program that does not answer')
})
