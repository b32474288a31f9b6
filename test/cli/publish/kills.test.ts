/** The short form of `node scripts/publish-kills.mjs`: real processes that fetch and publish, each killed about once. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildCommand } from '../../support/cli.ts'

const repository = join(import.meta.dirname, '..', '..', '..')
const kills = 8

test('after kills of fetches and publishes all targets are as production, and no row was sent twice unmarked', async () => {
  buildCommand()
  const words = ['scripts/publish-kills.mjs', '--kills', String(kills)]
  const child = spawn(process.execPath, words, { cwd: repository, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const code = await new Promise(resolve => child.on('close', resolve))
  expect(output).toMatch(new RegExp(`^${kills} kills \\(seed 1\\) in \\d+ s: 0 problems`, 'm'))
  expect(output).toMatch(/\d+ versions of \d+ rows, [1-9]\d* batches/)
  expect(code).toBe(0)
}, 480_000)
