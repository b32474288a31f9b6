import { spawn } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Ajv2020 from 'ajv/dist/2020.js'
import { afterEach, describe, expect, it } from 'vitest'
import { outputSchemas } from '../../server/contract/index.ts'
import { normalise, svcLauncher } from '../support/cli.ts'
import { createProjectHere, type ProjectHere } from '../support/cli-here.ts'
import { broken, shop } from './shop-project.ts'

const ajv = new Ajv2020({ strict: true, allErrors: true })
const projects: ProjectHere[] = []

function project(files: Readonly<Record<string, string>> = shop): ProjectHere {
  const made = createProjectHere(files)
  projects.push(made)
  return made
}

afterEach(() => {
  for (const made of projects.splice(0)) made.dispose()
})

describe('wrong usage ends with 2 and says what is right', () => {
  it.each([
    [['rum'], 'svc has no command "rum"; did you mean "run"?'],
    [['create', 'aset'], 'svc create has no command "aset"'],
    [['asset'], 'svc asset needs one more word'],
    [['run', '--al'], 'svc run has no option "--al"; did you mean "--all"?'],
    [['run', 'orders', '--all'], '--all cannot be combined with an asset selector'],
    [['preview', '+orders', '--all'], '--all cannot be combined with an asset selector'],
    [['rollback', 'orders', '--all'], '--all cannot be combined with asset names'],
    [['run', 'ordres'], 'did you mean "orders"?'],
    [['versions', 'ordres'], 'did you mean "orders"?'],
    [['sample', 'ordres'], 'did you mean "orders"?'],
    [['sample', 'orders', '--limit', 'few'], '--limit takes a whole number from 1 on, not "few"'],
    [['inspect', 'models/order.svc'], 'did you mean "models/orders.svc"?'],
    [['validate', 'models/nothing'], 'no .svc file at "models/nothing"'],
    [['schema', 'statuss'], 'did you mean "status"?'],
    [['status', '--env', 'Prod'], '"Prod" cannot name an environment'],
    [['promote'], 'svc promote needs <run>'],
    [['run', '--log-format', 'json', '--json'], '--json cannot be combined with --log-format json'],
  ])('svc %j', async (words, message) => {
    const made = project()
    const result = await made.svc(words)
    expect(result.stderr).toContain(message)
    expect(result.stderr).not.toContain('    at ')
    expect(result.code).toBe(2)
    if (!words.includes('--json')) expect(result.stdout).toBe('')
  })

  it('a wrong svc.yaml stops before the wrong warehouse is touched', async () => {
    const made = project({ ...shop, 'svc.yaml': 'name: shop\nwarehous: duckdb:other.duckdb\n' })
    for (const words of [['init'], ['status'], ['run'], ['plan'], ['rollback'], ['sample', 'orders']]) {
      const result = await made.svc(words)
      expect(result, words.join(' ')).toMatchObject({ code: 2, stdout: '' })
      expect(result.stderr).toContain('svc.yaml:2:1')
      expect(result.stderr).toContain('warehous: duckdb:other.duckdb')
    }
    expect(readdirSync(made.root)).not.toContain('warehouse.duckdb')
  })

  it('no project here', async () => {
    const empty = project({})
    const result = await empty.svc(['status'])
    expect(result.code).toBe(2)
    expect(result.stderr).toContain('Make one in this folder with: svc init.')
    const json = await empty.json(['status', '--json'])
    expect(ajv.validate(outputSchemas['error'] ?? {}, json.value)).toBe(true)
    expect(json.value).toMatchObject({ error: { code: 'no-project' } })
  })
})

describe('help', () => {
  it('comes with 0 on stdout, for svc, a group and a command, in any of its forms', async () => {
    const made = project({})
    const run = await made.svc(['run', '--help'])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect((await made.svc(['help', 'run'])).stdout).toBe(run.stdout)
    expect((await made.svc(['run', 'x', '--env', '-h'])).stdout).toBe(run.stdout)
    expect((await made.svc([])).stdout).toBe((await made.svc(['--help'])).stdout)
    expect((await made.svc(['asset', '--help'])).stdout).toMatchInlineSnapshot(`
      "Commands:
        asset run       fetch, build, test, then promote in one step
        asset rollback  production as it was before
        asset status    the active version of every asset
        asset sample    rows of an asset
        asset versions  the versions of an asset

      svc <command> --help shows each of them.
      "
    `)
    expect((await made.alone(['--version'])).stdout).toMatch(/^svc \d+\.\d+\.\d+ \([0-9a-f]{8}\+?\)\n$/)
  })
})

describe('begin', () => {
  it('an empty folder becomes a project that runs', async () => {
    const empty = project({})
    const init = await empty.svc(['init'])
    expect(init.code).toBe(0)
    expect(init.stdout).toContain('+ svc.yaml')
    expect((await empty.svc(['validate'])).stdout).toContain('svc create asset <name>')
    const created = await empty.json(['create', 'asset', 'customers', '--json'])
    expect(created.value).toEqual({ path: 'models/customers.svc' })
    expect((await empty.svc(['validate'])).stdout).toContain('1 passed')
    expect((await empty.svc(['run'])).code).toBe(0)
    const sample = await empty.json(['sample', 'customers', '--unmasked', '--json'])
    expect(sample.value).toMatchObject({
      rows: [
        { id: 1, label: 'first' },
        { id: 2, label: 'second' },
      ],
    })
  })

  it('create asset refuses what exists and names that are none', async () => {
    const made = project()
    const again = await made.svc(['create', 'asset', 'orders'])
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('an asset called "orders" exists already: models/orders.svc')
    for (const name of ['Bad Name', '../evil', '1st', 'a.b', 'x;y', '', 'Users']) {
      const result = await made.svc(['create', 'asset', name])
      expect(result.code, name).toBe(2)
    }
    expect(readdirSync(join(made.root, 'models')).sort()).toEqual(['customers.svc', 'marts', 'orders.svc'])
  })

  it('init leaves alone what is there', async () => {
    const made = project({ ...shop, '.gitignore': 'node_modules' })
    await made.svc(['init'])
    await made.svc(['init'])
    expect(readFileSync(join(made.root, '.gitignore'), 'utf8')).toBe(
      'node_modules\n.svc/\nsvc_catalog.json\nwarehouse.duckdb*\n',
    )
    expect(readFileSync(join(made.root, 'svc.yaml'), 'utf8')).toBe(shop['svc.yaml'])
  })

  it.skipIf(process.platform === 'win32')(
    'init adds to the .gitignore behind a link, which stays',
    async () => {
      const made = project({ ...shop, 'shared/ignore': 'node_modules\n' })
      symlinkSync('shared/ignore', join(made.root, '.gitignore'))
      await made.svc(['init'])
      expect(lstatSync(join(made.root, '.gitignore')).isSymbolicLink()).toBe(true)
      expect(readFileSync(join(made.root, 'shared/ignore'), 'utf8')).toContain('node_modules\n.svc/\n')
    },
  )

  it('a lock that begins with the mark of an editor is read', async () => {
    const made = project(shop)
    made.write('schemas.lock.json', '\uFEFF{"version": 1, "sources": {}}\n')
    expect((await made.svc(['validate'])).code).toBe(0)
  })
})

describe('validate', () => {
  it('shows every problem of every file at its place', async () => {
    const made = project(broken)
    const result = await made.svc(['validate'])
    expect(result.code).toBe(1)
    expect(normalise(result.stdout)).toMatchInlineSnapshot(`
      "PASS  models/customers.svc
      PASS  models/marts/best_customers.svc
      PASS  models/marts/daily_sales.svc
      FAIL  models/orders.svc

        error  unknown column "custmer_id"                          sql-unknown-column
               models/orders.svc:4:14
             3 │ transform: |
             4 │   SELECT id, custmer_id AS customer_id, amount, day
               │              ^^^^^^^^^^ did you mean "customer_id"? The source has:
               │                         id, customer_id, amount, day
        error  unknown column "idd" in the test unique             test-unknown-column
               models/orders.svc:7:13
             6 │ tests:
             7 │   - unique: idd
               │             ^^^ did you mean "id"? orders has: id, customer_id,
               │                 amount, day

      3 passed, 1 failed: 2 errors <seconds>
      "
    `)
    const { code, value } = await made.json(['validate', '--json'])
    expect(code).toBe(1)
    expect(ajv.validate(outputSchemas['validate'] ?? {}, value), JSON.stringify(ajv.errors)).toBe(true)
    expect(value).toMatchObject({ summary: { passed: 3, failed: 1 } })
  })

  it('is quiet, or about some files only', async () => {
    const made = project(broken)
    const quiet = await made.svc(['validate', '-q'])
    expect(quiet.stdout).not.toContain('PASS')
    expect(quiet.stdout).toContain('FAIL  models/orders.svc')
    made.write('models/zero.svc', 'name: zero\ningest: none\ntransform: SELECT 0 AS n\n')
    expect((await made.svc(['validate', '-q'])).stdout).toMatch(/[^\n]\n\n4 passed, 1 failed/)
    const marts = await made.svc(['validate', 'marts'], { cwd: 'models' })
    expect(marts.code).toBe(0)
    expect(marts.stdout).toContain('2 passed')
    expect(marts.stdout).not.toContain('orders.svc')
  })
})

describe('plan', () => {
  it('ends with 3 where a source cannot be asked, and does not ask with --offline', async () => {
    const made = project({
      ...shop,
      'models/remote.svc':
        'name: remote\ningest: {type: file, endpoint: data, resource: missing.csv}\ncontract: {required_columns: [id], columns: {id: bigint}}\ntransform: SELECT id FROM {{ source }}\n',
    })
    const asked = await made.json(['plan', '--json'])
    expect(asked.code).toBe(3)
    expect(ajv.validate(outputSchemas['plan'] ?? {}, asked.value), JSON.stringify(ajv.errors)).toBe(true)
    expect(asked.value).toMatchObject({
      contracts: expect.arrayContaining([expect.objectContaining({ asset: 'remote', status: 'undone' })]),
    })
    const offline = await made.json(['plan', '--offline', '--json'])
    expect(offline).toMatchObject({ code: 0, value: { contracts: [] } })
  })

  it('ends with 1 where a source breaks its contract', async () => {
    const made = project({
      ...shop,
      'models/strict.svc':
        'name: strict\ningest: {type: file, endpoint: data, resource: orders.csv}\ncontract: {required_columns: [id, colour]}\ntransform: SELECT id FROM {{ source }}\n',
    })
    const result = await made.svc(['plan', 'strict'])
    expect(result.code).toBe(1)
    expect(result.stdout + result.stderr).toContain('"colour"')
  })

  it('says what changed and what breaks', async () => {
    const made = project()
    await made.svc(['run'])
    made.write(
      'models/orders.svc',
      (shop['models/orders.svc'] ?? '').replace(
        'customer_id, amount, day',
        'customer_id, amount + 1 AS amount, day AS sold_on',
      ),
    )
    made.remove('models/marts/best_customers.svc')
    const result = await made.svc(['plan', '--offline'])
    expect(result.code).toBe(1)
    expect(normalise(result.stdout + result.stderr)).toMatchInlineSnapshot(`
      "Plan for dev (analytics_dev in warehouse.duckdb), 4 assets

        ~ orders                   modified     transform
                                                3 rows in <seconds> last time
                                                + column sold_on DATE
                                                - column day  breaks 2 below
                customer_id,
            -   amount,
            -   day
            +   amount + 1 as amount,
            +   day as sold_on
              from {{ source }}
        ↻ daily_sales              rebuilt      because orders changed
                                                2 rows in <seconds> last time
        - best_customers           removed      its file is gone; this run removes its
                                                view, and a rollback brings it back
        ! daily_sales              breaks       reads orders.day in 2 places
        = 1 asset                  reused       same definition, same inputs

        1 breaking change: svc run refuses until the readers are changed too.
          models/marts/daily_sales.svc:3:10 reads a column that is going away
          models/marts/daily_sales.svc:6:12 reads a column that is going away
        orders.day goes away from: daily_sales.day, daily_sales (GROUP BY day),
        exposure Board.
        Exposures that will see the change: Board (daily_sales).

        Fetch 2 sources, build 2 assets, run 5 tests, remove 1 view, promote 2 views
        at once.
      "
    `)
  })
})

describe('a run that only removes views', () => {
  it('says so, and that it can be undone', async () => {
    const made = project(shop)
    await made.svc(['run'])
    made.remove('models/marts/best_customers.svc')
    const run = await made.svc(['run'])
    expect(run.code).toBe(0)
    expect(run.stdout + run.stderr).toMatch(/✓ removed 1 view /)
    expect(run.stdout).toMatch(/Deployed with 1 warning: run \w+ to dev in .*\. Undo: svc rollback/)
    expect((await made.svc(['run'])).stdout).toContain('Nothing to do with 1 warning for dev')
  })
})

describe('environments', () => {
  it('dev follows the git branch, and two branches do not touch each other', async () => {
    const made = project({ ...shop, '.git/HEAD': 'ref: refs/heads/main\n' })
    await made.svc(['run'])
    made.write('.git/HEAD', 'ref: refs/heads/feature/Prices\n')
    expect((await made.json(['status', '--json'])).value).toEqual({ assets: [] })
    made.write('data/orders.csv', 'id,customer_id,amount,day\n1,1,7,2026-01-01\n')
    const run = await made.svc(['run'])
    expect(run.code).toBe(0)
    expect(run.stdout.replace(/\s+/g, ' ')).toMatch(
      /The schema of dev is analytics_dev_feature_prices_[0-9a-f]{6}, of the branch feature\/Prices\./,
    )
    for (const again of [['run'], ['run', '--full-refresh']])
      expect((await made.svc(again)).stdout).not.toContain('The schema of dev')
    const { value } = await made.json(['sample', 'daily_sales', '--json'])
    expect(value).toMatchObject({
      rows: [{ total: expect.toSatisfy((total: unknown) => Number(total) === 7) }],
    })
    expect((value as { relation: string }).relation).toMatch(
      /^analytics_dev_feature_prices_[0-9a-f]{6}\.daily_sales$/,
    )
    made.write('.git/HEAD', 'ref: refs/heads/main\n')
    const main = await made.json(['sample', 'daily_sales', '--json'])
    expect(main.value).toMatchObject({ relation: 'analytics_dev_main.daily_sales' })
    expect(main.value).toHaveProperty('rows.length', 2)
  })
})

describe('rollback and test', () => {
  it('some assets take their previous build', async () => {
    const made = project()
    await made.svc(['run'])
    made.write('models/customers.svc', (shop['models/customers.svc'] ?? '').replace('name: Ana', 'name: Eva'))
    made.write('data/orders.csv', 'id,customer_id,amount,day\n1,1,7,2026-01-01\n')
    await made.svc(['run'])
    const result = await made.svc(['rollback', 'customers, orders'])
    expect(result.code).toBe(0)
    const customers = await made.json(['sample', 'customers', '--unmasked', '--json'])
    expect(customers.value).toMatchObject({ rows: [{ name: 'Ana' }, {}] })
    expect((await made.json(['sample', 'daily_sales', '--json'])).value).toHaveProperty('rows.length', 1)
    expect(result.stdout).toContain('daily_sales')
  })

  it('tests say what passed, what stands and what failed', async () => {
    const made = project()
    await made.svc(['run'])
    const standing = await made.svc(['test'])
    expect(standing.code).toBe(0)
    expect(standing.stdout).toMatch(/✓ customers +pass +unique_id +unchanged/)
    const all = await made.svc(['test', 'orders', '--all-tests'])
    expect(normalise(all.stdout)).toMatchInlineSnapshot(`
      "  ✓ orders                   pass         unique_id <seconds> for 3 tests
        ✓ orders                   pass         relationships_customer_id <seconds> for 3 tests
        ✓ orders                   pass         range_amount <seconds> for 3 tests

      3 passed <seconds>
      "
    `)
    expect((await made.svc(['test', '--run', '0000000000'])).code).toBe(2)
  })
})

describe('manners', () => {
  it('no colours in a pipe, colours on request, none with --no-color', async () => {
    const made = project()
    const colour = '\u001b['
    expect((await made.alone(['validate'])).stdout).not.toContain(colour)
    expect((await made.alone(['validate'], { env: { FORCE_COLOR: '1' } })).stdout).toContain(colour)
    expect((await made.svc(['validate', '--no-color'], { env: { FORCE_COLOR: '1' } })).stdout).not.toContain(
      escape,
    )
    expect((await made.svc(['--no-color', 'validate'])).code).toBe(0)
  })

  it('a reader that goes away is no error', async () => {
    const made = project()
    const child = spawn(process.execPath, [svcLauncher, 'validate'], {
      cwd: made.root,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.destroy()
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    const code = await new Promise(resolve => child.on('close', resolve))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('Ctrl-C stops a run with 130 and leaves production as it was', async () => {
    const made = project()
    await made.svc(['run'])
    made.write(
      'models/orders.svc',
      (shop['models/orders.svc'] ?? '').replace(
        'FROM {{ source }}',
        'FROM {{ source }}, range(100000000000) AS endless(n) WHERE n < 0',
      ),
    )
    const result = await made.svc(['run'], {
      onStart: child =>
        child.onOutput(text => {
          if (/orders +building/.test(text)) child.kill('SIGINT')
        }),
    })
    expect(result.code).toBe(130)
    expect(result.stderr).toContain('Stopping; press Ctrl-C again to stop at once.')
    const status = await made.json(['sample', 'daily_sales', '--json'])
    expect(status.code).toBe(0)
    made.write('models/orders.svc', shop['models/orders.svc'] ?? '')
    expect((await made.svc(['run'])).code).toBe(0)
  })

  it('Ctrl-C ends the waiting for a server that never answers', async () => {
    const server = createServer(() => {})
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const made = project({
      'models/slow.svc': `name: slow\ningest: {type: rest_api, endpoint: "http://127.0.0.1:${port}", resource: items}\ntransform: SELECT * FROM {{ source }}\n`,
    })
    const result = await made.svc(['run'], {
      onStart: child => server.on('request', () => child.kill('SIGINT')),
    })
    server.closeAllConnections()
    server.close()
    expect(result.code).toBe(130)
    expect(result.stderr).toContain('Stopping')
  })

  it('what cannot be written after a run does not hide that it was deployed', async () => {
    const made = project({ ...shop, 'svc_catalog.json/in-the-way': '' })
    const result = await made.svc(['run'])
    expect(result.stdout).toContain('Deployed with 1 warning: run')
    const said = result.stderr.replace(/\s+/g, ' ')
    expect(said).toContain('svc_catalog.json (')
    expect(said).toMatch(
      /Run \w{10} is complete all the same; the dashboard and other programs see the run before/,
    )
    // A CI reads from the code what happened to production.
    expect(result.code).toBe(0)
  })

  it('secrets of the environment never come out', async () => {
    const secret = 'sup3r-s3cret-t0ken'
    const made = project({
      ...shop,
      'svc.yaml': 'name: shop\nwarehouse: env:SHOP_WAREHOUSE\n',
      'models/remote.svc': `name: remote\ningest: {type: file, endpoint: ${secret}, resource: "*.csv", credentials: env:SHOP_TOKEN}\ntransform: SELECT 1 AS one FROM {{ source }}\n`,
    })
    const env = { SHOP_TOKEN: secret, SHOP_WAREHOUSE: `postgres://me:${secret}@127.0.0.1:1/db` }
    for (const words of [
      ['validate'],
      ['plan'],
      ['run'],
      ['doctor'],
      ['inspect', 'remote', '--json'],
      ['manifest', '--json'],
    ]) {
      const result = await made.svc(words, { env })
      expect(result.stdout + result.stderr, words.join(' ')).not.toContain(secret)
    }
    expect((await made.svc(['doctor'], { env: {} })).stdout).toContain('SHOP_WAREHOUSE')
  })
})
