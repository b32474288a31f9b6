/** A run that lasts as long as a test wants: its source answers when the test says so. */
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A source that answers when the test says so. */
export interface SlowSource {
  readonly url: string
  /** Until somebody waits for an answer. */
  asked(): Promise<void>
  readonly requests: () => number
  answer(): void
  close(): void
}

export async function slowSource(): Promise<SlowSource> {
  const waiting: ServerResponse[] = []
  let requests = 0
  let open = false
  let wake = () => {}
  const reply = (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('[{"id": 1}, {"id": 2}]')
  }
  const server: Server = createServer((_request, response) => {
    requests++
    if (open) reply(response)
    else waiting.push(response)
    wake()
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    async asked() {
      while (requests === 0) {
        await new Promise<void>(go => {
          wake = go
        })
      }
    },
    answer() {
      open = true
      for (const response of waiting.splice(0)) reply(response)
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The file of an asset `slow` over it. */
export function slowAsset({ url }: SlowSource): string {
  return `name: slow\ningest: {type: rest_api, endpoint: "${url}", resource: rows}\ntransform: SELECT id FROM {{ source }}\n`
}
