/**
 * Logs of runs and publishes that fail: they have no personal value, and neither has anything else below `.svc/` or on the
 * terminal, also with `--debug`. What is told of a run that succeeds is told of one that fails.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createGround, type Ground } from './bad-input/command-line.ts'

const person = /ana@|Ana (\\*"The\\*" )?Secret|Ana \\*"T/
const modes = [[], ['--debug'], ['--log-format', 'json'], ['--log-format', 'json', '--debug']]
let ground: Ground

beforeEach(() => {
  ground = createGround({ 'svc.yaml': 'name: shop\n' })
})
afterEach(() => ground.dispose())

/** Returns the files below `.svc/`, and what was said, that have a personal value. */
async function leaks(command: readonly string[], code: number): Promise<string[]> {
  const found: string[] = []
  for (const mode of modes) {
    const said = await ground.line([...command, ...mode])
    expect(said.code, said.stderr).toBe(code)
    if (person.test(said.stdout + said.stderr)) found.push(`said with ${mode.join(' ')}`)
  }
  const files = readdirSync(join(ground.root, '.svc'), { recursive: true, withFileTypes: true })
  const paths = files.filter(each => each.isFile()).map(each => join(each.parentPath, each.name))
  expect(paths.some(path => path.includes(`${join('.svc', 'logs')}`))).toBe(true)
  return [...found, ...paths.filter(path => person.test(readFileSync(path, 'latin1')))]
}

it('of a record that an asset without max_rejects refuses', async () => {
  ground.write(
    'models/orders.svc',
    'name: orders\ningest: {type: file, endpoint: data, resource: orders.ndjson}\ncontract: {enforce_types: true, columns: {amount: bigint, email: {type: varchar, pii: true}}}\ntransform: SELECT id, amount FROM {{ source }}\n',
  )
  ground.write('data/orders.ndjson', '{"id": 1, "amount": "many", "email": "ana@example.com"}\n')
  expect(await leaks(['run'], 1)).toEqual([])
  expect((await ground.line(['rejects', 'orders'])).stdout).toContain('"email":"***"')
})

it('of rows in a file whose run fails', async () => {
  ground.write(
    'models/people.svc',
    "name: people\ningest: {type: rows, rows: [{id: 1, email: ana@example.com, name: Ana Secret}]}\ncontract: {columns: {id: bigint, email: {type: varchar, pii: true}, name: {type: varchar, pii: true}}}\ntransform: SELECT id, CAST('x' || id AS INTEGER) AS n FROM {{ source }}\n",
  )
  const found = await leaks(['run'], 1)
  expect(found.filter(path => !path.includes(`${join('.svc', 'cache')}`))).toEqual([])
})

it.each([
  ['of rows that a target refuses', { status: 400, pad: 0, code: 1 }],
  ['of rows whose values are cut off in what a target says', { status: 400, pad: 130, code: 1 }],
  ['of rows for which a target has no place', { status: 404, pad: 0, code: 3 }],
  ['of rows that a target fails with', { status: 500, pad: 0, code: 3 }],
])('%s', async (_, { status, pad, code }) => {
  const server: Server = createServer((request, response) => {
    let rows = ''
    request.setEncoding('utf8').on('data', (text: string) => {
      rows += text
    })
    request.on('end', () => response.writeHead(status).end(`no: ${'x'.repeat(pad)}${rows}`))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    ground.write(
      'models/people.svc',
      `name: people\ningest: {type: file, endpoint: data, resource: people.csv}\ncontract: {columns: {id: bigint, email: {type: varchar, pii: true}, name: {type: varchar, pii: true}}}\ntransform: SELECT id, email, name FROM {{ source }}\npublish:\n  there: {type: http, endpoint: "http://127.0.0.1:${port}", resource: people, key: id, environments: [dev], limits: {retries: 0}}\n`,
    )
    ground.write(
      'data/people.csv',
      'id,email,name\n1,ana@example.com,"Ana ""The"" Secret"\n2,bo@example.com,Bo\n',
    )
    expect((await ground.line(['run'])).code).toBe(0)
    expect(await leaks(['publish', 'people', '--to', 'there'], code)).toEqual([])
  } finally {
    await new Promise(resolve => server.close(resolve))
  }
})
