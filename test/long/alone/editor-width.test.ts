/**
 * What the language server does about 1,200 columns costs at most six times the CPU of what it does about 300 (four is
 * linear): problems after a keystroke, and every request of an editor, in an asset that reads them by `SELECT *`, in one
 * that names each, and in one that describes and tests each.
 */
import { afterAll, expect, test } from 'vitest'
import { costs, mostTimes, timesOf } from '../../support/editor-width.ts'
import { figure } from '../../support/figure.ts'

const [few, many, most] = [300, 1200, 2000]
const mostLooks = 2
const ratios: { readonly work: string; readonly times: number }[] = []
let slowest = { work: 'none', ms: 0 }

afterAll(() => {
  const wrong = ratios.filter(({ times }) => times > mostTimes)
  const worst = ratios.reduce((a, b) => (b.times > a.times ? b : a), { work: 'none', times: 0 })
  figure(
    'editor-width',
    `${ratios.length} answers at ${few} and ${many} columns, ${wrong.length} above ${mostTimes} times, most ${worst.times.toFixed(1)} (${worst.work}); at ${most} columns at most ${Math.round(slowest.ms)} ms of CPU (${slowest.work})`,
  )
})

/** What seems to grow too fast is measured again: noise only adds to what it takes. */
async function lookAgain(small: Map<string, number>, large: Map<string, number>): Promise<void> {
  const grown = [...large.keys()].filter(work => timesOf(small.get(work), large.get(work)) > mostTimes)
  if (grown.length === 0) return
  for (const [taken, columns] of [
    [small, few],
    [large, many],
  ] as const)
    for (const [work, ms] of await costs(columns, grown)) taken.set(work, Math.min(ms, taken.get(work) ?? ms))
}

test('cost of answers grows with the columns', { timeout: 900_000 }, async () => {
  await costs(40)
  const [small, large, largest] = [new Map(await costs(few)), new Map(await costs(many)), await costs(most)]
  for (let more = 0; more < mostLooks; more++) await lookAgain(small, large)
  for (const [work, ms] of large) {
    const times = timesOf(small.get(work), ms)
    ratios.push({ work, times })
    const atMost = largest.get(work) ?? 0
    if (atMost > slowest.ms) slowest = { work, ms: atMost }
    const shown = [small.get(work) ?? 0, ms, atMost].map(Math.round).join(', ')
    process.stdout.write(`  ${work}: ${shown} ms (${times.toFixed(1)} times)\n`)
  }
  expect(ratios.filter(({ times }) => times > mostTimes)).toEqual([])
})
