/** The hosted service under attack by one token of each scope: others wait no longer than they may. */
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
  figure(
    'hosted-attack',
    `${attacks} attacks on ${engine}, no goal missed, longest wait ${Math.max(...longest)} ms`,
  )
})
