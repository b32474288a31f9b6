/** What users find after bad nights: the nightly run says what happened, and production is right. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { figure } from '../support/figure.ts'
import { runScript } from '../support/script.ts'

test('each morning is told and can be mended', { timeout: 1_800_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mornings-'))
  const { code, said } = await runScript(`mornings.mjs --no-pictures --out ${folder}`)
  rmSync(folder, { recursive: true, force: true })
  expect(code, said).toBe(0)
  figure('mornings', `${said.match(/^✓/gm)?.length ?? 0} mornings, 0 that their users cannot understand`)
})
