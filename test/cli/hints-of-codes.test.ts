/** The hints of errors and warnings: each code has scenarios that follow them (test/long/hints), of which some are played here. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { errorCodes } from '../../cli/engine/errors.ts'
import { warningCodes } from '../../server/contract/warnings.ts'
import { errorsElsewhere, warningsElsewhere } from '../long/hints/elsewhere.ts'
import { allScenarios } from '../long/hints/tables.ts'
import { type CodedScenario, play } from '../support/hints/stage.ts'

const codesOf = (kind: CodedScenario['kind']) =>
  new Set(allScenarios.flatMap(each => (each.kind === kind ? [each.code] : [])))

test('of every error are followed by a scenario, or by the test that is named', () => {
  expect([...codesOf('error'), ...Object.keys(errorsElsewhere)].sort()).toEqual(
    Object.keys(errorCodes).sort(),
  )
})

test('of every warning are followed by a scenario, or by the test that is named', () => {
  expect([...codesOf('warning'), ...Object.keys(warningsElsewhere)].sort()).toEqual(
    Object.keys(warningCodes).sort(),
  )
})

test.each([...Object.entries(errorsElsewhere), ...Object.entries(warningsElsewhere)])(
  'of %s are followed elsewhere, by a test that is there',
  (_code, { file, title }) => {
    expect(readFileSync(file, 'utf8')).toContain(title)
  },
)

/** Quick ones, of every topic. */
const sampled = [
  'error source-empty-glob',
  'error http-status',
  'error unknown-asset',
  'error breaking-change',
  'error history-lost',
  'error term-exists',
  'error destination-shape',
  'error state-lost',
  'error ai-not-configured',
  'warning empty-lines',
  'warning unknown-var',
  'warning limited-pages',
]

describe('of a sample of codes', () => {
  test.each(sampled)('%s: what the hint says leads to what it promises', async name => {
    const found = allScenarios.find(({ kind, code }) => `${kind} ${code}` === name)
    if (found === undefined) throw new Error(`there is no scenario of ${name}`)
    await play(found)
  })
})
