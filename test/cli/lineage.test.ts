/** `svc lineage`: a site of the last run as files, complete, safe to publish, and nothing else overwritten. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Ajv from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { masked } from '../../cli/dashboard/site.ts'
import { outputSchemas } from '../../server/contract/index.ts'
import type { TestProject } from '../support/cli.ts'
import { createProjectHere } from '../support/cli-here.ts'
import { shop } from './shop-project.ts'

const secret = 'hunter2-hunter2'
const customers = shop['models/customers.svc'] ?? ''
const files = {
  ...shop,
  'models/customers.svc': customers.replace('One row a customer.', '"</script><script>alert(1)</script>"'),
  'models/secret.svc': `name: secret\ningest: {type: rest_api, endpoint: "http://127.0.0.1:9", resource: x, credentials: "env:TOKEN"}\ntransform: SELECT id FROM {{ source }} WHERE token <> '${secret}'\n`,
}

let project: TestProject
beforeAll(async () => {
  project = createProjectHere(files)
})
afterAll(() => project.dispose())

const svc = (...words: string[]) => project.svc(words, { env: { TOKEN: secret } })
const read = (path: string) => readFileSync(join(project.root, path), 'utf8')

interface Site {
  readonly catalog: {
    readonly assets: readonly { readonly name: string; readonly description: string | null }[]
  }
  readonly quality: unknown
  readonly history: { readonly runs: readonly { readonly error: string | null }[] }
  readonly glossary: unknown
}

const dataOf = (page: string): Site =>
  JSON.parse(/<script type="application\/json" id="svc-data">(.*?)<\/script>/s.exec(page)?.[1] ?? '') as Site

describe('svc lineage --out', () => {
  it('says so where nothing has run', async () => {
    const { code, stderr } = await svc('lineage', '--out', 'site')
    expect([code, stderr]).toEqual([1, expect.stringContaining('nothing has run in dev yet')])
    expect(stderr).toContain('svc run --all')
    expect(existsSync(join(project.root, 'site'))).toBe(false)
  })

  it('writes a page with the data of the last run, as svc schema says, and says what it read and wrote', async () => {
    expect((await svc('run', 'customers,orders,daily_sales,best_customers')).code).toBe(0)
    const { code, stdout, stderr } = await svc('lineage', '--out', 'site', '--debug')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Wrote site\/index\.html and \d+ files beside it: 5 assets as of/)
    for (const line of [
      '-- read .svc/dev/svc_catalog.json (',
      '-- read glossary.yaml (not there)',
      '-- wrote site/index.html (',
      '-- wrote site/app.js (',
    ]) {
      expect(stderr).toContain(line)
    }
    const data = dataOf(read('site/index.html'))
    const ajv = new Ajv({ strict: false })
    for (const [name, value] of [
      ['catalog', data.catalog],
      ['quality', data.quality],
      ['runs', data.history],
      ['glossary-export', data.glossary],
    ] as const) {
      expect(ajv.validate(outputSchemas[name] ?? false, value), `${name}: ${ajv.errorsText()}`).toBe(true)
    }
  })

  it('lets no text of the project out of the data, and no secret in', () => {
    const page = read('site/index.html')
    expect(page.match(/<script/g)).toHaveLength(2)
    expect(page).not.toContain(secret)
    const about = dataOf(page).catalog.assets.find(({ name }) => name === 'customers')
    expect(about?.description).toBe('</script><script>alert(1)</script>')
    expect(page).toContain('data-mode="static"')
    expect(page).toMatch(
      /<meta http-equiv="content-security-policy" content="default-src 'none'; script-src 'self';/,
    )
    expect(page).not.toMatch(/https?:\/\/(?!example\.com|127\.0\.0\.1)/)
  })

  it('takes no value of a row along that the database quotes', async () => {
    project.write(
      'models/customers.svc',
      customers.replace('SELECT id, name FROM', 'SELECT id, name, CAST(name AS INTEGER) AS broken FROM'),
    )
    expect((await svc('run', 'customers')).code).toBe(1)
    project.write('models/customers.svc', files['models/customers.svc'])
    expect((await svc('lineage', '--out', 'site')).code).toBe(0)
    const page = read('site/index.html')
    const error = dataOf(page).history.runs[0]?.error ?? ''
    expect(error).not.toBe('')
    expect(page).not.toContain('日本')
    expect(error).not.toMatch(/Ana/)
  })

  it('replaces its own files, leaves others alone, and never takes the page of somebody else', async () => {
    project.write('site/CNAME', 'lineage.example.com')
    const before = statSync(join(project.root, 'site', 'app.js')).ino
    expect((await svc('lineage', '--out', 'site')).code).toBe(0)
    expect(read('site/CNAME')).toBe('lineage.example.com')
    expect(statSync(join(project.root, 'site', 'app.js')).ino).toBe(before)
    project.write('docs/index.html', '<html><h1>mine</h1></html>')
    const refused = await svc('lineage', '--out', 'docs')
    expect([refused.code, refused.stderr.replace(/\s+/g, ' ')]).toEqual([
      2,
      expect.stringContaining('is not a page that svc made'),
    ])
    expect(read('docs/index.html')).toContain('mine')
    expect(existsSync(join(project.root, 'docs', 'app.js'))).toBe(false)
  })
})

describe('a message in a site', () => {
  it.each([
    ['3 rows', '3 rows'],
    [null, null],
    ["Could not convert string 'Ana' to INT32", "Could not convert string '…' to INT32"],
    ['Duplicate key "id: 7" violates', 'Duplicate key "…" violates'],
    ['Type INT64 with value 300 cannot be cast', 'Type INT64 with value … cannot be cast'],
    ['first\nLINE 1: SELECT secret', 'first'],
  ])('%j is %j', (message, shown) => {
    expect(masked(message)).toBe(shown)
  })
})
