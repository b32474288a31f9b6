/** Started as a program: a web service that takes rows and counts them; `GET /` says how many, and begins anew. Ends with stdin. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

let rows = 0
const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(String(rows))
    rows = 0
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    rows += (JSON.parse(Buffer.concat(chunks).toString()) as unknown[]).length
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.stdin.resume()
process.stdin.once('end', () => process.exit(0))
