/**
 * The hints of errors and warnings: each is printed by its cause and followed as it stands, and what it promises is there. The
 * command lines among them are those of test/cli/hints.test.ts; the fixes of diagnostics have their tests in test/language.
 */
import { afterAll, describe, test } from 'vitest'
import { figure } from '../../support/figure.ts'
import { play } from '../../support/hints/stage.ts'
import { errorsElsewhere, warningsElsewhere } from './elsewhere.ts'
import { allScenarios } from './tables.ts'

let followed = 0

describe.each(allScenarios)('$kind $code', coded => {
  test(coded.scenario.hint, async () => {
    await play(coded)
    followed++
  })
})

afterAll(() => {
  const codes = new Set(allScenarios.map(({ kind, code }) => `${kind} ${code}`))
  const others = Object.keys(errorsElsewhere).length + Object.keys(warningsElsewhere).length
  figure(
    'hints',
    `${codes.size} codes here and ${others} by other tests, ${followed} of ${allScenarios.length} hints followed to what they promise`,
  )
})
