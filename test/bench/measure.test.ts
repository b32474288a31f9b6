import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { measure, median } from './measure.ts'

const runner = [process.execPath, '--require', join(import.meta.dirname, 'usage-probe.cjs')]

function node(script: string) {
  return { runner, command: ['-e', script], cwd: tmpdir() }
}

describe('a measured program', () => {
  it('is known by its time, its CPU, its memory and what it printed', async () => {
    const busy = 'const end = Date.now() + 200; while (Date.now() < end); console.log("done")'
    const { sample, stdout } = await measure(node(busy), 60_000)
    expect(stdout).toBe('done\n')
    expect(sample.wallMs).toBeGreaterThanOrEqual(200)
    expect(sample.cpuMs).toBeGreaterThan(10)
    expect(sample.rssBytes).toBeGreaterThan(10_000_000)
  })

  it('that fails is no measurement, and the end of its output says why', async () => {
    const failing = node('console.error("no such table"); process.exit(3)')
    await expect(measure(failing, 60_000)).rejects.toThrow(/ended with 3:\nno such table/)
  })

  it('that hangs is stopped', async () => {
    await expect(measure(node('setInterval(() => {}, 1000)'), 500)).rejects.toThrow(/was stopped after \d+ s/)
  })
})

it('the median is the middle, or between the two in the middle', () => {
  expect(median([5, 1, 3])).toBe(3)
  expect(median([4, 1, 2, 9])).toBe(3)
})
