/** Every page is followed to the letter; `UPDATE=1` writes the outputs anew: read the difference before you keep it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { followPage } from './run-page.ts'

const root = join(import.meta.dirname, '..', '..')
const generated = new Set(['commands.md', 'reference.md', 'errors.md', 'diagnostics.md', 'warnings.md'])
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter(name => name.endsWith('.md') && !generated.has(name))
    .map(name => `docs/${name}`),
]

describe('a reader who types what a page says', () => {
  it.concurrent.each(pages)(
    '%s',
    async page => {
      const text = readFileSync(join(root, page), 'utf8')
      const reading = await followPage(text)
      if (process.env['UPDATE'] === '1') writeFileSync(join(root, page), reading.page)
      expect(reading.faults.join('\n\n')).toBe('')
    },
    240_000,
  )
})
