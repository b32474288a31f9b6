/** What the catalogue says of the last run of an asset that nobody has run for long. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { CatalogFile } from '../../server/contract/index.ts'
import { createGround } from './bad-input/command-line.ts'

it('is that of its build where the newest runs have not looked at it', async () => {
  const ground = createGround({
    'svc.yaml': 'name: two\nwarehouse: duckdb:./w.duckdb\n',
    'models/often.svc': 'name: often\ningest: none\ntransform: SELECT 0 AS n\n',
    'models/seldom.svc': 'name: seldom\ningest: none\ntransform: SELECT 1 AS one\n',
  })
  try {
    expect((await ground.line(['run'])).code).toBe(0)
    for (let run = 0; run < 11; run++) expect((await ground.line(['run', 'often'])).code).toBe(0)
    const file = JSON.parse(readFileSync(join(ground.root, 'svc_catalog.json'), 'utf8')) as CatalogFile
    const seldom = file.assets.find(({ name }) => name === 'seldom')
    expect(seldom).toMatchObject({ status: 'deployed', last_run: expect.stringMatching(/^\d{4}-/) })
  } finally {
    ground.dispose()
  }
})
