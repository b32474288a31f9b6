/** The short form of `npm run soak`: real processes, killed at random moments of every phase. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildCommand } from '../../support/cli.ts'

const repository = join(import.meta.dirname, '..', '..', '..')
const kills = 30

test('after each of many kills production is one whole version, and nothing lies about at the end', async () => {
  buildCommand()
  const words = ['scripts/soak.mjs', '--kills', String(kills), '--jobs', '1']
  const child = spawn(process.execPath, words, { cwd: repository, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const code = await new Promise(resolve => child.on('close', resolve))
  expect(output).toContain(`${kills} kills (seed 1)`)
  expect(output).toContain(' 0 problems')
  for (const phase of ['start', 'fetch', 'build', 'test', 'promote', 'collect'])
    expect(output).toMatch(new RegExp(`^  ${phase} +[1-9]`, 'm'))
  for (const verb of ['preview', 'promote', 'rollback'])
    expect(output).toMatch(new RegExp(`^  ${verb}, \\w+ +[1-9]`, 'm'))
  expect(code).toBe(0)
}, 240_000)
