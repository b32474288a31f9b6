/** A query of thousands of parts is answered like any other. */
import { createProject, type Knowledge, parseSettings } from '@svc/server/language'
import { describe, expect, it } from 'vitest'
import { completionsAt } from '../../../server/language/features/completion/complete-at.ts'
import { hoverAt } from '../../../server/language/features/hover/hover-at.ts'
import { hash } from '../../support/spec-project.ts'

const count = 2000
const mark = 'SELECT last.'

function chained(list: string): string {
  const parts = Array.from({ length: count }, (_, index) => {
    return `c${index} AS (SELECT ${list} FROM ${index === 0 ? "{{ ref('flights') }}" : `c${index - 1}`})`
  })
  return `WITH ${parts.join(',\n  ')}\n  ${mark}\n  FROM c${count - 1} AS last`
}

function knowing(sql: string): { readonly knowledge: Knowledge; readonly text: string } {
  const text = `name: report\ningest: none\ntransform: |\n  ${sql}\n`
  const flights = 'name: flights\ningest: none\ncolumns:\n  day: {type: DATE}\n  delay: {type: INTEGER}\n'
  const project = createProject({
    settings: parseSettings(undefined),
    files: [
      { path: 'models/flights.svc', text: flights },
      { path: 'models/report.svc', text },
    ],
    hash,
  })
  const knowledge: Knowledge = {
    project,
    analysis: { of: () => undefined } as unknown as Knowledge['analysis'],
    sources: new Map(),
    glossary: project.glossary,
    functions: new Map(),
    diagnostics: () => [],
    environmentVariables: [],
    lastRuns: new Map(),
  }
  return { knowledge, text }
}

describe.each(['day, delay', '*', 'day, delay + 1 AS delay'])('2,000 CTEs in a row, each SELECT %s', list => {
  const { knowledge, text } = knowing(chained(list))
  const offset = text.indexOf(mark) + mark.length

  it('offer the columns of the last one', () => {
    const { items } = completionsAt(knowledge, 'models/report.svc', offset)
    expect(items.map(item => item.label)).toEqual(['day', 'delay'])
  })

  it('are told by hover', () => {
    const hover = hoverAt(knowledge, 'models/report.svc', text.lastIndexOf('last'))
    expect(hover?.markdown).toContain(`CTE \`c${count - 1}\` · 2 columns`)
  })
})
