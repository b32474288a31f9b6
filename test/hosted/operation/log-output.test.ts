/** The log as it is written to a file or a pipe: no line goes without being counted. */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { logOutput } from '../../../hosted-api/operation/log-output.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-log-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('lines for which a slow reader leaves no room are counted in the log', async () => {
  const path = join(folder, 'slow.log')
  const file = openSync(path, 'w')
  const output = logOutput(file)
  const line = `${JSON.stringify({ msg: 'x'.repeat(2 ** 20) })}\n`
  for (let count = 0; count < 30; count++) output.write(line)
  await output.flush()
  output.write('{"msg":"after"}\n')
  await output.flush()
  closeSync(file)
  const lines = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map(text => JSON.parse(text) as { msg: string; lost_lines?: number })
  const lost = lines.reduce((sum, { lost_lines = 0 }) => sum + lost_lines, 0)
  const kept = lines.filter(({ msg }) => msg.startsWith('xxx')).length
  expect(lost).toBeGreaterThan(0)
  expect(kept + lost).toBe(30)
  expect(lines.some(({ msg }) => msg === 'after')).toBe(true)
})

it.skipIf(process.platform !== 'linux')('a disk without room ends nothing', async () => {
  const file = openSync('/dev/full', 'w')
  const output = logOutput(file)
  output.write('{"msg":"first"}\n')
  await output.flush()
  output.write('{"msg":"second"}\n')
  await expect(output.flush()).resolves.toBeUndefined()
  closeSync(file)
})
