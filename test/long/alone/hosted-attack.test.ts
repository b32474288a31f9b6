/** The hosted service under attack by one token of each scope: nobody else is refused, the memory has a bound; how long others wait is told. */
import { expect, test } from 'vitest'
import { figure } from '../../support/figure.ts'
import { canStartPostgres } from '../../support/postgres.ts'
import { runScript } from '../../support/script.ts'

const engines = canStartPostgres() ? ['sqlite', 'postgres'] : ['sqlite']

test.runIf(process.platform === 'linux').each(engines)('on %s', { timeout: 1_800_000 }, async engine => {
  const { code, said } = await runScript(`hosted-attack.mjs --seconds 8 --engine ${engine}`)
  expect(code, said).toBe(0)
  const longest = [...said.matchAll(/longest (\d+) ms;/g)].map(([, ms]) => Number(ms))
  const attacks = said.match(/\/healthz p99/g)?.length ?? 0
  expect(attacks).toBeGreaterThanOrEqual(9)
  const missed = [...said.matchAll(/MISSED by ([\d.]+)/g)].map(([, times]) => Number(times))
  const goals = missed.length === 0 ? 'no goal missed' : `a goal of time missed by ${Math.max(...missed)}`
  figure(
    'hosted-attack',
    `${attacks} attacks on ${engine}, nobody else refused, ${goals}, longest wait ${Math.max(...longest)} ms`,
  )
})
