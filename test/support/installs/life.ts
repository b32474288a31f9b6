/** From nothing to a rollback and to an upload, as somebody types it who has just installed the packages. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Ended, Installed } from './installed.ts'

export interface Step {
  readonly name: string
  /** Returns what is wrong; undefined if nothing is. */
  readonly run: (installed: Installed) => Promise<string | undefined>
}

const first = [
  { id: 1, amount: 2.5 },
  { id: 2, amount: 7 },
]
const changed = first.map(({ id, amount }) => ({ id, amount: amount * 10 }))
const asset = join('models', 'orders.svc')

export const steps: readonly Step[] = [
  {
    name: 'npm installs both',
    run: async ({ npm }) => wrongUnless(npm.code === 0, npm),
  },
  says('svc', ['--version'], /^svc \d+\.\d+\.\d+ \([0-9a-f]{8}\+?\)\n$/),
  says('svc-hosted', ['--version'], /^svc-hosted \d+\.\d+\.\d+\n$/),
  says('svc', ['init'], /state tables/),
  {
    name: 'a file of data is discovered',
    run: async installed => {
      mkdirSync(join(installed.project, 'data'))
      writeFileSync(join(installed.project, 'data', 'orders.csv'), 'id,amount\n1,2.5\n2,7\n')
      const ended = await installed.run('svc', ['discover', 'data/orders.csv'])
      return wrongUnless(ended.code === 0 && existsSync(join(installed.project, asset)), ended)
    },
  },
  says('svc', ['validate'], /PASS/),
  says('svc', ['fmt', '--check'], /./),
  says('svc', ['plan', '--env', 'prod'], /orders/),
  says('svc', ['run', '--env', 'prod'], /^Deployed run /m),
  shows(first),
  {
    name: 'the asset is changed',
    run: async ({ project }) => {
      const path = join(project, asset)
      const text = readFileSync(path, 'utf8')
      const after = text.replace(/^ {4}amount$/m, '    amount * 10 AS amount')
      writeFileSync(path, after)
      return after === text ? `the asset is written in another way:\n${text}` : undefined
    },
  },
  says('svc', ['run', '--env', 'prod'], /^Deployed run /m),
  shows(changed),
  says('svc', ['rollback', '--all', '--env', 'prod'], /^Rolled back prod/m),
  shows(first),
  says('svc', ['doctor', '--env', 'prod'], /^All is well\.$/m),
  {
    name: 'a project on PostgreSQL is checked without a server',
    run: async installed => {
      const [settings, orders] = [join(installed.project, 'svc.yaml'), join(installed.project, asset)]
      const [before, types] = [readFileSync(settings, 'utf8'), readFileSync(orders, 'utf8')]
      writeFileSync(
        settings,
        before.replace(/^warehouse: .*$/m, 'warehouse: postgres://svc@127.0.0.1:1/shop'),
      )
      writeFileSync(orders, types.replace('double', 'double precision'))
      const ended = await installed.run('svc', ['validate'])
      writeFileSync(settings, before)
      writeFileSync(orders, types)
      return wrongUnless(ended.code === 0, ended)
    },
  },
  {
    name: 'the hosted service keeps an upload on its default database',
    run: uploads,
  },
]

/** The command works and prints what is expected, and nothing on stderr says that something is wrong. */
function says(program: string, words: readonly string[], expected: RegExp): Step {
  return {
    name: [program, ...words].join(' '),
    run: async installed => {
      const ended = await installed.run(program, words)
      const isRight = ended.code === 0 && expected.test(ended.stdout + ended.stderr)
      return wrongUnless(isRight && !/^(error|warning):/m.test(ended.stderr), ended)
    },
  }
}

function shows(rows: readonly Readonly<Record<string, unknown>>[]): Step {
  return {
    name: `production has ${JSON.stringify(rows)}`,
    run: async installed => {
      const ended = await installed.run('svc', ['sample', 'orders', '--env', 'prod', '--json'])
      const shown = ended.code === 0 ? (JSON.parse(ended.stdout) as { rows: unknown }).rows : undefined
      return wrongUnless(isDeepStrictEqual(shown, rows), ended)
    },
  }
}

/** The store is asked again after a restart without `--create`. */
async function uploads(installed: Installed): Promise<string | undefined> {
  const token = 'a'.repeat(40)
  const serve = (...words: readonly string[]) =>
    installed.start('svc-hosted', ['serve', '--db', 'sqlite:store.db', '--port', '0', ...words], {
      SVC_HOSTED_BOOTSTRAP_TOKEN: token,
    })
  const service = serve('--create')
  const env = { SVC_HOSTED_URL: await service.address, SVC_HOSTED_TOKEN: token }
  const uploaded = await installed.run('svc', ['upload', '--env', 'prod'], env)
  const code = await service.stop()
  if (uploaded.code !== 0 || code !== 0) return `svc-hosted ended with ${code}; ${wrong(uploaded)}`
  const again = serve()
  const headers = { authorization: `Bearer ${token}` }
  const asked = await fetch(`${await again.address}/api/svc/metadata/projects/1/manifest`, { headers })
  const manifest = await asked.text()
  await again.stop()
  return /"name":\s*"orders"/.test(manifest) ? undefined : `the manifest is ${asked.status}: ${manifest}`
}

function wrongUnless(isRight: boolean, ended: Ended): string | undefined {
  return isRight ? undefined : wrong(ended)
}

function wrong({ code, stdout, stderr }: Ended): string {
  return `exit code ${code}\n${stdout}\n${stderr}`
}
