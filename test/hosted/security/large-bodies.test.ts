import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { readBody } from '../../../hosted-api/http/read-body.ts'
import { noLimits } from '../../../hosted-api/limits/index.ts'
import type { Storage } from '../../../hosted-api/storage/index.ts'
import type { Answer } from '../support/client.ts'
import { type EngineCase, engines, useHosted } from '../support/engines.ts'
import { newName } from '../support/records.ts'

const terms = '/api/svc/glossary/terms'
// None of this is the database's business.
const engine = engines[0] as EngineCase

/** The next write of the service waits until `end` is called. */
function holdNextWrite(storage: Storage) {
  const write = vi.spyOn(storage, 'write')
  let end = () => {}
  const held = new Promise<void>(resolve => {
    end = resolve
  })
  write.mockImplementationOnce(async (...[work, options]) => {
    await held
    return storage.write(work, options)
  })
  return { write, end }
}

describe('a large body', () => {
  const hosted = useHosted(engine, { limits: { ...noLimits, tokenBodies: 1 } })
  const long = 'x'.repeat(9000)

  it('waits for the one of its token before it; small ones and those of others do not', async () => {
    const { storage } = hosted.service
    const { body: made } = await hosted.admin.post('/api/svc/tokens', {
      name: 'other',
      scopes: ['glossary:write'],
      projects: 'all',
    })
    const other = hosted.client(made.secret)
    const { write, end } = holdNextWrite(storage)
    const first = hosted.admin.post(terms, { project: 1, name: newName('Large'), description: long })
    await vi.waitFor(() => expect(write).toHaveBeenCalledOnce())
    const answered: string[] = []
    const wrong = async (name: string, asked: Promise<Answer>) => {
      const { status } = await asked
      answered.push(`${name} ${status}`)
    }
    const second = wrong('second', hosted.admin.post(terms, { project: 1, naem: long }))
    await wrong('small', hosted.admin.post(terms, { project: 1, naem: 'x' }))
    await wrong('other', other.post(terms, { project: 1, naem: long }))
    expect(answered).toEqual(['small 422', 'other 422'])
    end()
    expect((await first).status).toBe(201)
    await second
    expect(answered).toEqual(['small 422', 'other 422', 'second 422'])
    write.mockRestore()
  })

  it('that is a JSON patch counts as one, however short it is', async () => {
    const { storage } = hosted.service
    const made = await hosted.admin.post(terms, { project: 1, name: newName('Patched') })
    const patch = (operations: readonly object[]) =>
      hosted.admin.send('PATCH', `${terms}/${made.body.term.id}`, {
        body: JSON.stringify(operations),
        headers: { 'Content-Type': 'application/json-patch+json' },
      })
    const { write, end } = holdNextWrite(storage)
    const first = patch([{ op: 'add', path: '/description', value: 'first' }])
    await vi.waitFor(() => expect(write).toHaveBeenCalledOnce())
    let isAnswered = false
    const second = patch([{ op: 'nothing', path: '' }]).then(({ status }) => {
      isAnswered = true
      return status
    })
    expect((await hosted.admin.post(terms, { project: 1 })).status).toBe(422)
    expect(isAnswered).toBe(false)
    end()
    expect((await first).status).toBe(200)
    expect(await second).toBe(422)
    write.mockRestore()
  })

  it('is read in pieces, one of each connection in a round of the event loop', async () => {
    let mostPieces = 0
    let pieces = 0
    const server = createServer(async (request, response) => {
      request.on('data', () => {
        pieces++
      })
      const isRefused = request.url === '/refused'
      const limits = isRefused ? { ...noLimits, body: 1000 } : noLimits
      const told = await readBody(request, limits).catch(error => error.code)
      response.end(JSON.stringify(told))
    })
    const address = await new Promise<string>(resolve =>
      server.listen(0, '127.0.0.1', () =>
        resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      ),
    )
    let isCounting = true
    const round = () => {
      mostPieces = Math.max(mostPieces, pieces)
      pieces = 0
      if (isCounting) setImmediate(round)
    }
    round()
    const text = JSON.stringify('x'.repeat(8_000_000))
    const send = (path: string) =>
      fetch(address + path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: text })
    expect(await (await send('/read')).text()).toBe(text)
    expect(mostPieces).toBeLessThanOrEqual(2)
    expect(await (await send('/refused')).json()).toBe('too_large')
    isCounting = false
    expect(mostPieces).toBeLessThanOrEqual(2)
    server.closeAllConnections()
    server.close()
  })
})
