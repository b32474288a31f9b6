/** Every form of SQL in which personal data could flow on unseen: test/language/corpus/personal. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readCorpus } from '../support/personal/corpus.ts'
import { judge, score, shownVerdict } from '../support/personal/judge.ts'
import { judgeCorpus } from '../support/personal/report.ts'
import { verifyCorpus } from '../support/personal/verify-corpus.ts'

const folder = join(import.meta.dirname, 'corpus/personal')
const cases = readCorpus(folder)

test('the corpus covers the language', () => {
  expect(cases.length).toBeGreaterThanOrEqual(600)
  expect(new Set(cases.map(({ sql }) => sql)).size).toBeGreaterThan(cases.length * 0.98)
})

test('what the corpus says is what happens to marked values', { timeout: 300_000 }, async () => {
  const doubts = await verifyCorpus(cases, 1)
  expect(doubts.map(({ of, what }) => `${of.file}:${of.line} ${of.sql}: ${what}`)).toEqual([])
})

test('a lost mark is a leak, one too many is a false alarm', () => {
  const [email] = cases.filter(({ sql }) => sql === 'SELECT EMAIL, Email, "eMaIl" FROM @c')
  if (email === undefined) throw new Error('the case is gone')
  const origin = { asset: 'c', column: 'email' }
  const line = (column: string, from: readonly (typeof origin)[], hidden = from.slice(1)) => ({
    column,
    from,
    hidden,
    kind: 'derived' as const,
  })
  const analysisOf = (lineage: readonly ReturnType<typeof line>[]) => ({
    name: 'query',
    columns: lineage.map(({ column }) => ({ name: column, type: undefined })),
    complete: true,
    lineage,
    uses: [],
    rowUses: [],
    diagnostics: [],
    volatile: false,
  })
  const kinds = (lineage: readonly ReturnType<typeof line>[]) =>
    judge(email, analysisOf(lineage)).mistakes.map(({ kind }) => kind)
  const right = line('a', [origin])
  expect(kinds([right, right, right])).toEqual([])
  expect(kinds([right, right, line('b', [])])).toEqual(['leak'])
  expect(kinds([right, line('b', [origin], [origin]), right])).toEqual(['leak'])
  expect(kinds([right, right])).toEqual(['leak', 'leak'])
  const phone = { asset: 'c', column: 'phone' }
  expect(kinds([right, right, line('b', [origin, phone], [])])).toEqual(['false alarm'])
  expect(kinds([right, right, line('b', [origin, phone], [phone])])).toEqual(['false alarm'])
})

test('no mark is lost, and few are one too many', async () => {
  const { leaks, falseAlarms } = score(await judgeCorpus(folder))
  expect(leaks.map(shownVerdict)).toEqual([])
  expect(falseAlarms.length / cases.length, falseAlarms.map(shownVerdict).join('\n')).toBeLessThan(0.03)
})
