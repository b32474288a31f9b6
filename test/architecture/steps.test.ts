import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { countTests } from '../../scripts/steps.mjs'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-steps-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

describe('the line "N passed, N failed"', () => {
  it('counts tests one by one', () => {
    expect(
      counted({ passed: 3, failed: 2, files: [file('failed', ['passed', 'failed', 'failed'])] }),
    ).toEqual({
      passed: 3,
      failed: 2,
    })
  })

  it('counts a file that does not load, and one whose preparation fails', () => {
    const files = [file('failed', []), file('failed', ['skipped', 'skipped']), file('passed', ['passed'])]
    expect(counted({ passed: 1, failed: 0, files })).toEqual({ passed: 1, failed: 2 })
  })

  it('is never good without a report', () => {
    expect(countTests(join(folder, 'missing.json'))).toEqual({ passed: 0, failed: 1 })
  })
})

function counted(report: { passed: number; failed: number; files: readonly object[] }) {
  const path = join(folder, 'report.json')
  const { passed: numPassedTests, failed: numFailedTests, files: testResults } = report
  writeFileSync(path, JSON.stringify({ numPassedTests, numFailedTests, testResults }))
  return countTests(path)
}

function file(status: string, tests: readonly string[]): object {
  return { status, assertionResults: tests.map(each => ({ status: each })) }
}
