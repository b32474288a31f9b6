/** An address from an environment variable is secret, also its path and query, wherever a run writes. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createProjectHere } from '../support/cli-here.ts'
import { sendJson, startRestServer } from '../support/rest-server.ts'

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap(name => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? filesBelow(path) : [path]
  })
}

test('no output and no file has a secret of the address', async () => {
  const server = await startRestServer()
  const p = createProjectHere({
    'svc.yaml': 'name: hidden\n',
    'models/orders.svc':
      'name: orders\ningest: {type: rest_api, endpoint: env:API, resource: orders, limits: {retries: 0}}\ntransform: SELECT id FROM {{ source }}\n',
  })
  const env = { API: `${server.origin}/bot123456:AA-Token_x?customer=s3cr3t99` }
  try {
    let said = ''
    for (const status of [200, 500]) {
      server.route('/bot123456:AA-Token_x/orders', (_request, response) =>
        sendJson(response, status === 200 ? [{ id: 1 }] : { wrong: 'bot123456:AA-Token_x' }, status),
      )
      for (const words of [['run', '--debug'], ['doctor'], ['status'], ['logs'], ['plan']]) {
        const { stdout, stderr } = await p.svc(words, { env })
        said += stdout + stderr
      }
    }
    expect(said).toContain('status 500')
    expect(said).toContain('orders')
    const files = filesBelow(p.root).map(path => readFileSync(path, 'latin1'))
    for (const text of [said, ...files]) expect(text).not.toMatch(/AA-Token|s3cr3t99/)
  } finally {
    p.dispose()
    await server.close()
  }
})
