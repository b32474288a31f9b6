/** The scripts that make things up: damaged files, random edits, queries over personal data, requests to the hosted service. */
import { test } from 'vitest'
import { figureOfScript } from '../support/script.ts'

const longest = 1_800_000

test('damaged files in parser and checks', { timeout: longest }, () =>
  figureOfScript('fuzz', 'fuzz.mjs --count 100000 --seed 1', /\d+ texts .*: 0 failed.*/),
)

test('damaged files in svc validate', { timeout: longest }, () =>
  figureOfScript('fuzz', 'fuzz.mjs --validate 3000 --seed 1', /\d+ texts .*: 0 failed.*/),
)

test('edits in a session with the language server', { timeout: longest }, () =>
  figureOfScript('fuzz', 'fuzz.mjs --editor 2000 --seed 1', /\d+ edits .*: 0 failed.*/),
)

test('queries that could lose personal data', { timeout: longest }, () =>
  figureOfScript('fuzz', 'fuzz-personal.mjs --count 10000 --seed 1 --workers 1', /\d+ queries .*: 0 leak.*/),
)

test('requests to the hosted service', { timeout: longest }, () =>
  figureOfScript('fuzz', 'fuzz-hosted.mjs --count 10000 --seed 1', /\d+ requests with seed.*/),
)
