/** The command that brings the files of the dashboard to the state of the warehouse. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { nowAndThen, renewalBy, renewalWord } from '../../../cli/dashboard/file-renewal.ts'

/** Writes its process into a file that is called as its first word is, and does not end. */
const endless =
  'require("node:fs").writeFileSync(process.argv[1], String(process.pid)); setInterval(() => {}, 1000)'

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it('ends with the dashboard', async () => {
  const root = mkdtempSync(join(tmpdir(), 'svc-renewal-'))
  const ending = new AbortController()
  const command = [process.execPath, '-e', endless] as const
  const renew = renewalBy({ command, root, env: {} }, 'dev', ending.signal)
  const renewed = renew()
  const file = join(root, renewalWord)
  const pid = () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0)
  await expect.poll(pid).toBeGreaterThan(0)
  ending.abort()
  await renewed
  await expect.poll(() => isThere(pid())).toBe(false)
  rmSync(file)
  await renew()
  expect(existsSync(file)).toBe(false)
  rmSync(root, { recursive: true })
})

it('runs once for pages that are loaded together', async () => {
  let begun = 0
  const renew = nowAndThen(async () => {
    begun += 1
  })
  await Promise.all([renew(), renew()])
  await renew()
  expect(begun).toBe(1)
})
