/** The picture of the README shows what a terminal shows at the end, not what it drew on the way. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('docs/images/terminal.svg is drawn from a terminal (node scripts/picture.mjs)', () => {
  const picture = readFileSync(
    join(import.meta.dirname, '..', '..', 'docs', 'images', 'terminal.svg'),
    'utf8',
  )
  expect(picture).toMatch(/\bpromoted \d+ views at once/)
  for (const passing of ['building', 'fetching', 'waiting', '\u001b']) expect(picture).not.toContain(passing)
})
