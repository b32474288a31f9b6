/**
 * States of a project, from each kind of failure to a rollback: terminal, `svc status`, logs, JSON, history, page, editor and
 * notifications say the same words and figures of it, and the right ones.
 */
import { afterAll, expect, test } from 'vitest'
import { figure } from '../support/figure.ts'
import { type Compared, compareState } from '../support/pages/compare.ts'
import { states } from '../support/pages/states.ts'

const found: Compared[] = []

afterAll(() => {
  const sum = (of: (each: Compared) => number) => found.reduce((all, each) => all + of(each), 0)
  figure(
    'pages',
    `${found.length} states, ${sum(each => each.compared)} words and figures compared, ${sum(each => each.differences.length)} differences`,
  )
})

test.each(states)('$name', { timeout: 240_000 }, async state => {
  const compared = await compareState(state)
  found.push(compared)
  expect(compared.differences).toEqual([])
})
