/**
 * Started as a program: `page-server <number of records>` makes all pages, then serves them from memory on a free port of
 * the loopback: `/records?page=2`. Prints its address when it is ready; ends with its input.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { recordPages } from './nested-records.ts'

const count = Number(process.argv[2])
const pages: Buffer[] = []
const server = createServer((request, response) => {
  const page = Number(new URL(request.url ?? '/', 'http://localhost').searchParams.get('page') ?? 1)
  const body = pages[page - 1]
  if (body === undefined) {
    response.writeHead(404).end()
    return
  }
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const page of recordPages(count, `${address}/records`)) pages.push(Buffer.from(page))
  console.log(address)
})
process.stdin.once('end', () => process.exit(0)).resume()
