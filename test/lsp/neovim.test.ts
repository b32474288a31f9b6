/** Another editor: Neovim, with the client that it brings, sees what `svc validate` says. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCommand, svcLauncher } from '../support/cli.ts'

/** In a container of Debian one is installed; elsewhere nothing is changed on the machine. */
function neovim(): string | undefined {
  if (works('nvim')) return 'nvim'
  const isRoot = process.getuid?.() === 0
  if (isRoot)
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'neovim'], {
      stdio: 'ignore',
      timeout: 240_000,
    })
  return works('nvim') ? 'nvim' : undefined
}

function works(command: string): boolean {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0
}

const nvim = neovim()
if (nvim === undefined) console.log('skipped: neovim is not installed (Debian: apt-get install neovim)')

let root = ''
beforeAll(() => {
  buildCommand()
  root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-nvim-')))
}, 240_000)
afterAll(() => rmSync(root, { recursive: true, force: true }))

function put(path: string, text: string): string {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  return join(root, path)
}

interface Answer {
  readonly before: readonly object[]
  readonly after: unknown
  readonly hover: string
}

describe('Neovim', () => {
  it.skipIf(nvim === undefined && process.env['CI'] !== 'true')(
    'shows problems on their places, and none once they are repaired',
    () => {
      expect(nvim, 'neovim is missing').toBeDefined()
      put('svc.yaml', 'name: p\n')
      put('models/orders.svc', 'name: orders\ningest: none\ntransform: SELECT 1 AS id\n')
      const file = put(
        'models/broken.svc',
        `name: broken\ningest: none\ntransform: |\n  SELECT id, nope\n  FROM {{ ref('orders') }}\n  JOIN {{ ref('ordrs') }} AS o USING (id)\nownr: me\n`,
      )
      const script = join(import.meta.dirname, 'neovim.lua')
      const { stdout, stderr } = spawnSync(nvim ?? '', ['--headless', '--clean', '-c', `luafile ${script}`], {
        encoding: 'utf8',
        env: {
          ...process.env,
          SVC_NODE: process.execPath,
          SVC_LAUNCHER: svcLauncher,
          SVC_ROOT: root,
          SVC_FILE: file,
          SVC_COUNT: '3',
        },
      })
      expect(stderr).toBe('')
      expect(JSON.parse(stdout) as Answer).toEqual({
        before: [
          { code: 'sql-unknown-column', source: 'svc', line: 3, column: 13, last: 17 },
          { code: 'unknown-ref', source: 'svc', line: 5, column: 15, last: 20 },
          { code: 'unknown-key', source: 'svc', line: 6, column: 0, last: 4 },
        ],
        after: [],
        hover: 'markdown',
      })
    },
    240_000,
  )
})
