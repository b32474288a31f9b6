/** A program of ours that ends before it has said its result says so: exit 70, and never 0 (decisions 9, "Nothing in silence"). */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildService, serviceBundle } from '../hosted/support/child.ts'
import { buildCommand, svcLauncher } from '../support/cli.ts'

let folder = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-no-result-'))
  writeFileSync(join(folder, 'svc.yaml'), 'name: shop\n')
  // Each program waits for one of these, and nothing keeps the process alive meanwhile.
  writeFileSync(
    join(folder, 'never.cjs'),
    "require('node:fs/promises').mkdir = () => new Promise(() => {})\nprocess.stdout.write = () => true\n",
  )
  buildCommand()
  await buildService()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it.each([
  ['svc', () => svcLauncher, ['validate']],
  ['svc-hosted', () => serviceBundle, ['serve', '--create', '--port', '0', '--db', 'sqlite:x.db']],
] as const)('%s', (name, program, words) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--require', join(folder, 'never.cjs'), program(), ...words],
    { cwd: folder, encoding: 'utf8', env: { ...process.env, SVC_HOME: folder } },
  )
  expect([status, stdout]).toEqual([70, ''])
  expect(stderr).toContain(`error: this is a bug in ${name}: it ended without a result`)
})
