/** `svc inspect` shows how the text files of a source are read. */
import Ajv2020 from 'ajv/dist/2020.js'
import { afterEach, expect, it } from 'vitest'
import { outputSchemas } from '../../server/contract/index.ts'
import { createGround, type Ground } from './bad-input/command-line.ts'

const ajv = new Ajv2020({ strict: true, allErrors: true })
const files = {
  'svc.yaml': 'name: layouts\n',
  'models/orders.svc': `name: orders
ingest: {type: file, endpoint: data, resource: "*.csv"}
transform: SELECT * FROM {{ source }}
`,
  'models/rows.svc': `name: own
ingest: {type: rows, rows: [{id: 1}]}
transform: SELECT * FROM {{ source }}
`,
  'data/a.csv': 'id,name\n1,"x"\n',
  'data/b.csv': 'Report\r\n\r\nid;name\r\n2;y\r\n3;z\r\n',
  'data/c.csv': 'id,name\n4,"v"\n',
}

let ground: Ground | undefined
afterEach(() => ground?.dispose())

it('in words and as JSON, before a run and after it', async () => {
  ground = createGround(files)
  const before = (await ground.line(['inspect', 'orders'])).stdout.replace(/\s+/g, ' ')
  expect(before).toContain(
    'Read as utf-8, delimiter ",", quote ", header, LF (data/a.csv, data/c.csv; not in schemas.lock.json)',
  )
  expect(before).toContain('utf-8, delimiter ";", skip 2 lines, header, CRLF (data/b.csv; not in')
  expect((await ground.line(['run', 'orders'])).code).toBe(0)
  const { value } = await ground.json(['inspect', 'orders', '--json'])
  expect(ajv.validate(outputSchemas['inspect'] ?? {}, value), JSON.stringify(ajv.errors)).toBe(true)
  expect(value).toMatchObject({
    layouts: [
      {
        encoding: 'utf-8',
        delimiter: ',',
        quote: '"',
        escape: null,
        comment: '',
        header: true,
        skip: 0,
        line_ends: 'lf',
        locked: true,
        files: { count: 2, first: ['data/a.csv', 'data/c.csv'] },
      },
      { delimiter: ';', skip: 2, line_ends: 'crlf', locked: true, files: { count: 1 } },
    ],
  })
})

it('not of other sources', async () => {
  ground = createGround(files)
  const { value } = await ground.json(['inspect', 'own', '--json'])
  expect(value).not.toHaveProperty('layouts')
})
