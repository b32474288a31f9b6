import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { figuresOf } from '../../scripts/long-suites.mjs'
import { countTests } from '../../scripts/steps.mjs'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-steps-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

describe('what failed', () => {
  it('is named at the end, with its reason', () => {
    const failures = [
      {
        name: join(process.cwd(), 'a.test.ts'),
        status: 'failed',
        assertionResults: [
          { status: 'failed', fullName: 'it adds', failureMessages: ['\u001b[31mError: 1 is not 2\nat x'] },
          { status: 'passed', fullName: 'it works' },
        ],
      },
      {
        name: join(process.cwd(), 'b.test.ts'),
        status: 'failed',
        message: 'no such file',
        assertionResults: [],
      },
    ]
    expect(counted({ passed: 1, failed: 1, files: failures }).names).toEqual([
      'a.test.ts: it adds: Error: 1 is not 2',
      'b.test.ts: no such file',
    ])
  })
})

describe('the line "N passed, N failed"', () => {
  it('counts tests one by one', () => {
    const report = { passed: 3, failed: 2, files: [file('failed', ['passed', 'failed', 'failed'])] }
    expect(counted(report)).toMatchObject({ passed: 3, failed: 2 })
  })

  it('counts a file that does not load, and one whose preparation fails', () => {
    const files = [file('failed', []), file('failed', ['skipped', 'skipped']), file('passed', ['passed'])]
    expect(counted({ passed: 1, failed: 0, files })).toMatchObject({ passed: 1, failed: 2 })
  })

  it('is never good without a report', () => {
    expect(countTests(join(folder, 'missing.json'))).toEqual({ passed: 0, failed: 1 })
  })
})

describe('the line of a long suite', () => {
  const at = (name: string, ...statuses: string[]) => ({
    ...file(statuses.includes('failed') ? 'failed' : 'passed', statuses),
    name: join(process.cwd(), 'test', 'long', name),
  })

  it('is what its tests tell, or else how many passed', () => {
    const files = [
      at('names.test.ts', 'passed'),
      at('cli/a.test.ts', 'passed'),
      at('cli/b.test.ts', 'passed'),
    ]
    expect(figures(files, 'names: 9,200 checks, 0 wrong\n')).toEqual([
      'cli: 2 tests passed, 0 failed',
      'names: 9,200 checks, 0 wrong',
    ])
  })

  it('says how many failed beside what its tests tell', () => {
    const files = [at('alone/width.test.ts', 'passed', 'failed')]
    expect(figures(files, 'width: 5 stages\n')).toEqual([
      'width: 1 tests passed, 1 failed',
      'width: 5 stages',
    ])
  })

  it('counts a file that does not load as one that failed', () => {
    expect(figures([{ ...at('edits.test.ts'), status: 'failed' }], '')).toEqual([
      'edits: 0 tests passed, 1 failed',
    ])
  })
})

function figures(testResults: readonly object[], told: string): readonly string[] {
  const [report, lines] = [join(folder, 'report.json'), join(folder, 'told')]
  writeFileSync(report, JSON.stringify({ testResults }))
  writeFileSync(lines, told)
  return figuresOf(report, lines)
}

function counted(report: { passed: number; failed: number; files: readonly object[] }) {
  const path = join(folder, 'report.json')
  const { passed: numPassedTests, failed: numFailedTests, files: testResults } = report
  writeFileSync(path, JSON.stringify({ numPassedTests, numFailedTests, testResults }))
  return countTests(path)
}

function file(status: string, tests: readonly string[]): object {
  return {
    name: 'x.test.ts',
    status,
    assertionResults: tests.map(each => ({ status: each, fullName: 'test' })),
  }
}
