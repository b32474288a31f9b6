/** Whole numbers beyond 2^53 inside of structs, lists and maps keep their digits wherever they are published, and in what is shown. */

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { openLocalReader, quoteLiteral } from '@svc/server/catalog'
import { expect, it } from 'vitest'
import { createProjectHere } from '../../support/cli-here.ts'

const whole = '9007199254740993'
const huge = '12345678901234567890123'
const decimal = '1234567890123456789.01'
const nested = `{'n': ${whole}::BIGINT, 'h': ${huge}::HUGEINT, 'd': ${decimal}::DECIMAL(38,2), 'l': [${whole}::BIGINT], 'm': MAP {'k': ${whole}::BIGINT}, 's': {'u': 18446744073709551615::UBIGINT}}`

function expectDigits(text: string): void {
  for (const digits of [whole, huge, decimal, '18446744073709551615']) expect(text).toContain(digits)
  expect(text).not.toMatch(/9007199254740992|1234567890123456800/)
}

it('keep their digits', async () => {
  let body = ''
  const server = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    request.on('end', () => response.writeHead(200).end('{}'))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const project = createProjectHere({
    'svc.yaml': 'name: shop\n',
    'models/big.svc': `name: big\ningest: none\ntransform: |\n  SELECT 1 AS id, ${nested} AS v\npublish:\n  web: {type: http, endpoint: "http://127.0.0.1:${port}", resource: r, key: id, environments: [dev]}\n  lines: {type: file, endpoint: ./out, resource: a.ndjson, environments: [dev]}\n  csv: {type: file, endpoint: ./out, resource: a.csv, environments: [dev]}\n  duck: {type: duckdb, endpoint: "duckdb:there.duckdb", resource: r, key: id, environments: [dev]}\n`,
  })
  try {
    expect((await project.svc(['run'])).code).toBe(0)
    for (const to of ['web', 'lines', 'csv', 'duck']) {
      const look = await project.svc(['publish', 'big', '--to', to, '--dry-run', '--json'])
      expectDigits(look.stdout)
      const said = await project.svc(['publish', 'big', '--to', to])
      expect(said.code, said.stderr).toBe(0)
    }
    expectDigits(body)
    expectDigits(readFileSync(join(project.root, 'out/a.ndjson'), 'utf8'))
    expectDigits(readFileSync(join(project.root, 'out/a.csv'), 'utf8'))
    const local = await openLocalReader({ attaches: true })
    try {
      await local.rows(`ATTACH ${quoteLiteral(join(project.root, 'there.duckdb'))} AS there (READ_ONLY)`)
      const [row] = await local.rows('SELECT CAST(v AS VARCHAR) AS v FROM there.r')
      expectDigits(String(row?.['v']))
    } finally {
      await local.rows('DETACH there')
      local.close()
    }
  } finally {
    project.dispose()
    await new Promise(resolve => server.close(resolve))
  }
})
