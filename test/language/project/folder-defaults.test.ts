/** `defaults` of `svc.yaml`: what assets inherit from patterns of paths. */
import { createProject, type Project, parseSettings, settingsPath } from '@svc/server/language'
import { describe, expect, it } from 'vitest'
import { fixOf } from '../../../server/language/checks/diagnostic-codes.ts'
import type { Problem } from '../../../server/language/checks/fix.ts'
import { checkProject } from '../../../server/language/index.ts'
import { pathMatcher } from '../../../server/language/project/folder-defaults.ts'

const hash = (text: string) => text
const query = 'transform: SELECT 1 AS id\n'

function projectWith(defaults: string, files: Readonly<Record<string, string>>): Project {
  const settings = parseSettings(`name: shop\ndefaults:\n${defaults.replace(/^(?=.)/gm, '  ')}`)
  return createProject({
    settings,
    files: Object.entries(files).map(([path, text]) => ({ path, text })),
    hash,
  })
}

function definitionOf(defaults: string, text: string, path = 'models/staging/a.svc') {
  const project = projectWith(defaults, { [path]: text })
  expect(project.settings.diagnostics).toEqual([])
  return project.assets.get(path)?.definition
}

const settingsProblems = (project: Project) =>
  (checkProject(project, undefined).get(settingsPath) ?? []).map(
    ({ code, message, hint, range, severity }) => ({
      code,
      severity,
      message,
      hint,
      at: project.settings.file?.text.slice(range.start, range.end),
    }),
  )

describe('what an asset inherits', () => {
  it('is what it does not say itself, key by key', () => {
    const defaults = `models/**: {owner: data@example.com, deploy: {materialize: view, keep: 2}}\n`
    const own = `name: a\ningest: none\n${query}deploy: {keep: 9}\n`
    const definition = definitionOf(defaults, own)
    expect(definition?.owner).toBe('data@example.com')
    expect(definition?.deploy).toMatchObject({ materialize: 'view', keep: 9, enabled: true })
    const elsewhere = definitionOf(defaults, own, 'elsewhere/a.svc')
    expect(elsewhere?.owner).toBeUndefined()
    expect(elsewhere?.deploy).toMatchObject({ materialize: 'table', keep: 9, enabled: true })
  })

  it('is who may read it, and not what belongs to one table', () => {
    const own = `name: a\ningest: none\n${query}deploy: {grants: {select: own}}\n`
    const { deploy } = definitionOf('models/**: {deploy: {grants: {select: [bi]}}}\n', own) ?? {}
    expect(deploy?.grants).toEqual({ select: ['bi', 'own'] })
    const project = projectWith('models/**: {deploy: {indexes: [id], after: SELECT 1}}\n', {})
    expect(project.settings.diagnostics.map(({ message }) => message)).toEqual([
      expect.stringContaining('deploy.indexes" means nothing here: they are those of one table'),
      expect.stringContaining('deploy.after" means nothing here'),
    ])
  })

  it('comes from later patterns where several fit, and lists add up', () => {
    const defaults = `models/**: {tags: [all, core], owner: a, freshness: {warn_after: 1d, error_after: 3d}}
models/staging/**: {tags: staging, owner: b, freshness: {error_after: 2d}}
`
    const definition = definitionOf(
      defaults,
      `name: a\ningest: none\n${query}tags: [own, core]\nfreshness: {column: at}\n`,
    )
    expect(definition).toMatchObject({
      owner: 'b',
      tags: ['all', 'core', 'staging', 'own'],
      freshness: { warnAfterMs: 86_400_000, errorAfterMs: 2 * 86_400_000, column: 'at' },
    })
  })

  it('is a contract only with a source, with the defaults of all that nobody says', () => {
    const defaults = `models/**: {contract: {evolution: freeze, required_columns: id}}\n`
    const source = 'ingest: {type: rows, rows: [{id: 1}]}\n'
    const read = 'transform: SELECT id FROM {{ source }}\n'
    expect(definitionOf(defaults, `name: a\n${source}${read}`)?.contract).toEqual({
      evolution: { tables: 'freeze', columns: 'freeze', types: 'freeze' },
      enforceTypes: false,
      allowEmpty: false,
      requiredColumns: ['id'],
      columns: {},
      tables: {},
    })
    const own = definitionOf(defaults, `name: a\n${source}${read}contract: {evolution: {columns: evolve}}\n`)
    expect(own?.contract?.evolution).toEqual({ tables: 'freeze', columns: 'evolve', types: 'freeze' })
    expect(definitionOf(defaults, `name: a\ningest: none\n${query}`)?.contract).toBeUndefined()
  })
})

describe('problems of defaults', () => {
  it('are at their places in svc.yaml', () => {
    const project = projectWith(
      `models/**: {name: x, deploy: {materialise: view}, tags: ['']}
/models/*: {owner: ada}
models/stagin/**: {owner: ada}
models/staging: {contract: {columns: {id: bigint}}}
`,
      { 'models/staging/a.svc': `name: a\ningest: none\n${query}` },
    )
    expect(settingsProblems(project)).toMatchObject([
      {
        code: 'unknown-key',
        at: 'name',
        message: '"defaults.models/**.name" means nothing here: it belongs into the file of each asset',
      },
      { code: 'unknown-key', at: 'materialise', hint: 'did you mean "materialize"?' },
      { code: 'wrong-value', at: "''" },
      { code: 'wrong-value', at: '/models/*' },
      {
        code: 'defaults-unmatched',
        severity: 'warning',
        at: 'models/stagin/**',
        hint: 'did you mean "models/staging/**"?',
      },
      { code: 'defaults-unmatched', at: 'models/staging', hint: 'did you mean "models/staging/**"?' },
      {
        code: 'unknown-key',
        at: 'columns',
        message: expect.stringContaining('they are those of one source'),
      },
    ])
  })

  it('follow the files', () => {
    const before = projectWith('models/staging/**: {owner: ada}\n', {
      'models/a.svc': `name: a\ningest: none\n${query}`,
    })
    expect(settingsProblems(before)).toHaveLength(1)
    const after = before.with('models/staging/b.svc', `name: b\ningest: none\n${query}`)
    expect(settingsProblems(after)).toEqual([])
    expect(settingsProblems(after.with('models/staging/b.svc', undefined))).toHaveLength(1)
  })
})

it('says where a key comes from that does not suit an asset, and edits nothing there', () => {
  const project = projectWith('models/**: {deploy: {materialize: ephemeral}}\n', {
    'models/a.svc': `ingest: none\nname: a\n${query}`,
  })
  const [problem] = checkProject(project, undefined).get('models/a.svc') ?? []
  expect(problem).toMatchObject({
    code: 'ephemeral-without-reader',
    range: { start: 19, end: 20 },
    hint: expect.stringMatching(/It is inherited from "defaults" in svc.yaml\.$/),
  })
  if (problem === undefined) return
  const knowledge = { project } as Problem['knowledge']
  const text = project.assets.get('models/a.svc')?.text ?? ''
  expect(fixOf(problem.code)?.({ knowledge, path: problem.path, text, diagnostic: problem })).toEqual([])
})

describe('a change of defaults', () => {
  it('reads anew exactly what it reaches', () => {
    const file = (name: string) => `name: ${name}\ningest: none\n${query}`
    const project = projectWith('models/a/**: {deploy: {materialize: view}}\nmodels/**: {owner: ada}\n', {
      'models/a/x.svc': file('x'),
      'models/b/y.svc': file('y'),
    })
    const next = project.withSettings(
      parseSettings(
        'name: shop\ndefaults: {models/a/**: {deploy: {enabled: false}}, models/**: {owner: ada}}\n',
      ),
    )
    expect(next.assets.get('models/b/y.svc')).toBe(project.assets.get('models/b/y.svc'))
    expect([...next.byName.keys()]).toEqual(['y'])
    expect(next.assets.get('models/a/x.svc')?.definition.deploy).toMatchObject({
      enabled: false,
      materialize: 'table',
    })
    expect([...next.withSettings(parseSettings('name: shop\n')).byName.keys()]).toEqual(['x', 'y'])
  })
})

it.each([
  ['models/**', ['models/a.svc', 'models/b/c.svc'], ['model/a.svc', 'models2/a.svc']],
  ['./models/*.svc', ['models/a.svc'], ['models/b/c.svc']],
  ['models/*/raw_*.svc', ['models/x/raw_a.svc'], ['models/raw_a.svc', 'models/x/y/raw_a.svc']],
  ['models/**/raw/**', ['models/raw/a.svc', 'models/x/raw/y/a.svc'], ['models/rawer/a.svc']],
  ['models/{a,b}/**', ['models/a/x.svc', 'models/b/x.svc'], ['models/c/x.svc']],
  ['models/a.svc', ['models/a.svc'], ['models/a.svcx', 'models/aa.svc']],
  ['**', ['models/a.svc', 'a.svc'], []],
])('the pattern %s', (pattern, fits, others) => {
  const matches = pathMatcher(pattern)
  expect(fits.filter(path => !matches(path))).toEqual([])
  expect(others.filter(matches)).toEqual([])
})
