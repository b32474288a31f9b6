import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { allCommands } from '../../cli/commands/index.ts'
import { parseLine } from '../../cli/commands/options.ts'
import { createOwnTests, parseAsset, parseGlossary, parseSettings } from '../../server/language/index.ts'
import { engine, reading } from '../support/engine.ts'
import { featureTables, isAbout } from '../support/features/tables.ts'
import { shellWords } from '../support/shell-words.ts'
import { generatedPages } from './pages.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(path, 'utf8')
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
]

describe('generated pages', () => {
  it.each([...generatedPages(root, read)])('%s is up to date (npm run docs)', (path, text) => {
    expect(read(join(root, path))).toBe(text)
  })
})

describe('the tables of features', () => {
  it.each(Object.entries(featureTables(root)))(
    'show of %s what tests show, and nothing that the checks refuse',
    (_name, { kinds, features, shown, pointless, isRefused }) => {
      for (const cell of shown) {
        const [kind = '', feature = ''] = cell.split(' ')
        expect([Object.hasOwn(kinds, kind), Object.hasOwn(features, feature)], cell).toEqual([true, true])
        expect(isRefused(kind, feature), cell).toBe(false)
        expect(
          pointless.filter(each => isAbout(each, kind, feature)),
          cell,
        ).toEqual([])
      }
      for (const kind of Object.keys(kinds))
        expect(
          [...shown].some(cell => cell.startsWith(`${kind} `)),
          kind,
        ).toBe(true)
    },
  )
})

describe.each(pages)('%s', page => {
  const text = read(join(root, page))

  it('links to files that exist', () => {
    const targets = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(match => match[1] ?? '')
    const folder = join(root, page, '..')
    for (const target of targets) expect(() => readFileSync(join(folder, target)), target).not.toThrow()
  })

  it('shows commands that exist, with options that they have', () => {
    for (const line of commandLines(text)) {
      const words = shellWords(line).slice(1)
      const command = [2, 1]
        .map(length => allCommands.find(each => each.name === words.slice(0, length).join(' ')))
        .find(found => found !== undefined)
      if (command === undefined) expect(line).toMatch(/^svc (--version|--help|<command>)/)
      else expect(() => parseLine(command, words.slice(command.name.split(' ').length)), line).not.toThrow()
    }
  })

  it('say what happens in the words of the field', () => {
    // Things are fixed, depend on others and are reported; only people and programs are told to do something.
    const ours = /\bmend(s|ed|ing)?\b|\brests? on\b|\b(is|are|was|were|be) told\b(?! (apart|to)\b)/gi
    const found = pages.flatMap(page => [...read(page).matchAll(ours)].map(([words]) => `${page}: ${words}`))
    expect(found).toEqual([])
  })

  it('shows recipes that are YAML', () => {
    for (const block of blocks(text, 'yml')) expect(() => parse(block), block).not.toThrow()
  })

  it('shows files without a mistake', () => {
    const ownTests = createOwnTests(ownTestsOf(text), engine, hash)
    for (const block of blocks(text, 'yaml')) {
      const { diagnostics } = /^ingest:/m.test(block)
        ? parseAsset('models/x.svc', block, { ...reading, ownTests }, hash)
        : /^(terms|policies|links):/m.test(block)
          ? parseGlossary(block, engine)
          : parseSettings(block)
      // Who comes from another tool is shown what svc refuses.
      const allowed = page === 'docs/coming-from.md' ? 'not-built-yet' : undefined
      expect(
        diagnostics.filter(({ code }) => code !== allowed),
        block,
      ).toEqual([])
    }
  })
})

/** The tests of a project's own that a page shows, by path. */
function ownTestsOf(text: string): ReadonlyMap<string, string> {
  const found = text.matchAll(/^```sql (tests\/\S+)\n([\s\S]*?)^```/gm)
  return new Map(Array.from(found, ([, path = '', sql = '']) => [path, sql]))
}

function commandLines(text: string): readonly string[] {
  const sessions = blocks(text, 'console').map(block => block.slice(0, block.indexOf('\n')))
  return [...blocks(text, 'sh'), ...sessions, ...blocks(text, 'yml')]
    .flatMap(block => block.split('\n'))
    .map(line => line.replace(/^\$ |^ +(- )?(run: )?(npx --no -- )?(?=(npx --no -- )?svc )/, ''))
    .map(line => line.replace(/^npx --no -- /, '').replace(/\s+[#|>].*$/, ''))
    .filter(line => line.startsWith('svc '))
}

function blocks(text: string, language: string): readonly string[] {
  return [...text.matchAll(/^```(\w+)[^\n]*\n([\s\S]*?)^```/gm)]
    .filter(match => match[1] === language)
    .map(match => match[2] ?? '')
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
