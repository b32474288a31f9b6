/** A bracket that is missing is one problem, on a sensible place, with no other errors that only follow from it. */
import type { Diagnostic } from '@svc/server/language'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Lab, openLab } from '../support/sql-lab.ts'
import { missingBrackets, withoutOneBracket } from './missing-brackets.ts'

let lab: Lab
beforeAll(async () => {
  lab = await openLab()
})
afterAll(() => lab.close())

async function problemsOf(sql: string): Promise<string[]> {
  const { diagnostics } = await lab.analyze(sql)
  const text = lab.project().byName.get('case')?.text ?? ''
  return diagnostics.map(({ code, range, message }: Diagnostic) => {
    const place = text.slice(range.start, range.end)
    return /bracket/.test(message) ? place : `${code} ${place}`
  })
}

test.each(missingBrackets)('each bracket but one of %s', async (sql, places) => {
  expect(await problemsOf(sql)).toEqual([])
  const texts = withoutOneBracket(sql)
  expect(texts.length).toBe(places.length)
  for (const [index, text] of texts.entries())
    expect([text, ...(await problemsOf(text))]).toEqual([text, places[index]])
})

test('there are at least the 68 cases of the review', () => {
  expect(missingBrackets.flatMap(([, places]) => places).length).toBeGreaterThanOrEqual(68)
})

test.each([
  [
    'SELECT dely, upper origin) FROM @flights WHERE nope = 1',
    ['sql-unknown-column dely', ')', 'sql-unknown-column nope'],
  ],
  [
    'SELECT upper(origin, distance AS o, nope(1) FROM @flights WHERE zork > 1',
    ['AS', 'sql-unknown-function nope', 'sql-unknown-column zork'],
  ],
  [
    'WITH a AS SELECT dely, sum(origin) AS s FROM @flights) SELECT s FROM a',
    ['SELECT', 'sql-unknown-column dely', 'sql-no-matching-function sum'],
  ],
] as const)('other mistakes are shown beside it: %s', async (sql, expected) => {
  expect(await problemsOf(sql)).toEqual(expected)
})
