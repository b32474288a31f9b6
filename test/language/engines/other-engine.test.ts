/** What reads SQL asks the engine that it is handed: here one that differs from the real one in a few answers. */
import { createProject, type Engine, type Knowledge, parseSettings } from '@svc/server/language'
import { describe, expect, it } from 'vitest'
import { expandStar } from '../../../server/language/features/actions/expand-star.ts'
import { completionsAt } from '../../../server/language/features/completion/complete-at.ts'
import { semanticTokensIn } from '../../../server/language/features/semantic-tokens.ts'
import { formatSql } from '../../../server/language/format/format-sql.ts'
import { scanTemplate } from '../../../server/language/syntax/scan-template.ts'
import { engine } from '../../support/engine.ts'
import { hash } from '../../support/spec-project.ts'

const other: Engine = {
  ...engine,
  quoteIfNeeded: name => `[${name}]`,
  words: { ...engine.words, reserved: new Set(['summon']) },
  types: { ...engine.types, names: new Set(['money']), commonNames: ['money'] },
}

const path = 'models/report.svc'
const sql = "SELECT * FROM {{ ref('flights') }} summon"

/** Of a project whose warehouse is of that engine. */
function knowing(of: Engine, text: string): Knowledge {
  const project = createProject({
    settings: parseSettings(undefined),
    files: [
      { path: 'models/flights.svc', text: 'name: flights\ningest: none\ncolumns:\n  day: {type: DATE}\n' },
      { path, text },
    ],
    hash,
  })
  const flights = { columns: [{ name: 'day', type: 'DATE' }], complete: true }
  return {
    project: Object.create(project, { engine: { value: of } }),
    analysis: { of: () => flights } as unknown as Knowledge['analysis'],
    sources: new Map(),
    glossary: project.glossary,
    functions: new Map(),
    diagnostics: () => [],
    environmentVariables: [],
    lastRuns: new Map(),
  }
}

function asset(query: string): string {
  return `name: report\ningest: none\ntransform: |\n  ${query}\n`
}

describe('the engine of the project is asked', () => {
  it('for its types', () => {
    const text = asset("SELECT 1::m FROM {{ ref('flights') }}")
    const at = text.indexOf('::m') + 3
    const offered = (of: Engine) => completionsAt(knowing(of, text), path, at).items.map(item => item.label)
    expect(offered(other)).toEqual(['MONEY'])
    expect(offered(engine)).not.toContain('MONEY')
  })

  it('for the way it writes names', () => {
    const text = asset(sql)
    const written = (of: Engine) => {
      const knowledge = knowing(of, text)
      const report = knowledge.project.assets.get(path)
      return report && expandStar(knowledge, report, text.indexOf('*'))[0]?.edits[0]?.newText
    }
    expect([written(other), written(engine)]).toEqual(['[day]', 'day'])
  })

  it('for its words', () => {
    const text = asset('SELECT 1 WHERE summon summon')
    const kinds = (of: Engine) =>
      semanticTokensIn(knowing(of, text), path)
        .filter(({ range }) => text.slice(range.start, range.end) === 'summon')
        .map(({ type }) => type)
    expect(kinds(other)).toContain('keyword')
    expect(kinds(engine)).not.toContain('keyword')
  })
})

describe('the engine that is handed on reads', () => {
  it('the end of a text behind a quote that may be left open', () => {
    const text = "SELECT 'a\nFROM {{ ref('b') }} WHERE c = 'd'"
    const closing: Engine = {
      ...engine,
      tokens: from => engine.tokens(from).map(each => ({ ...each, closed: true })),
    }
    const kinds = (of: Engine) => scanTemplate(text, of).tags.map(tag => tag.kind)
    expect([kinds(engine), kinds(closing)]).toEqual([['ref'], ['invalid']])
  })

  it('what is laid out', () => {
    // To this one the two texts are never the same, so nothing may be changed.
    let count = 0
    const unsure: Engine = { ...engine, tokens: from => engine.tokens(from).slice(count++) }
    expect(formatSql('select  1', true, engine)).toBe('SELECT 1')
    expect(formatSql('select  1', true, unsure)).toBeUndefined()
  })
})
