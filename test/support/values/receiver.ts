/** A web service that keeps the text of each record that it gets, by path: to read them would change some of them. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Receiver {
  readonly address: string
  records(table: string): readonly string[]
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const bodies = new Map<string, string[]>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk as Buffer))
    request.on('end', () => {
      const table = (request.url ?? '').replace(/^\//, '')
      bodies.set(table, [...(bodies.get(table) ?? []), Buffer.concat(chunks).toString('utf8')])
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{}')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    records: table => (bodies.get(table) ?? []).flatMap(body => membersOf(body)),
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** The texts of the objects of a list. */
function membersOf(list: string): string[] {
  const members: string[] = []
  let depth = 0
  let from = 0
  for (const { 0: token, index } of list.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if ('[{'.includes(token)) {
      depth++
      if (depth === 2) from = index
    } else if (']}'.includes(token)) {
      if (depth === 2) members.push(list.slice(from, index + 1))
      depth--
    }
  }
  return members
}
