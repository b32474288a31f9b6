/**
 * After any number of edits the checks and the catalogue say what fresh ones would say of the same files: what they keep
 * from snapshot to snapshot is never stale.
 */
import { openCatalog } from '@svc/server/catalog'
import {
  checkProject,
  createProject,
  type Diagnostic,
  type Project,
  parseSettings,
  type RawColumn,
  type SourceShapes,
} from '@svc/server/language'
import { describe, expect, it } from 'vitest'
import { engine } from '../support/engine.ts'
import { seeded } from '../support/mutations.ts'
import { sha256 } from '../support/sql-lab.ts'

const seed = Number(process.env['SEED'] ?? 20260102)
const settings = parseSettings('name: edits\nvars: {limit: 10}\n')
const otherSettings = parseSettings('name: edits\nvars: {other: 10}\n')

type Random = () => number
const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)] as T

const names = ['orders', 'Orders', 'order_lines', 'customers', 'customer', 'daily', 'totals', 'loose']
const paths = names.map((_, index) => `models/m${index}.svc`)

/** A file that does with names whatever a file can do. */
function randomFile(random: Random): string {
  const name = pick(random, names)
  const reads = Array.from({ length: Math.floor(random() * 3) }, () =>
    pick(random, [...names, 'ordrs', 'custmer']),
  )
  const hasSource = random() < 0.3
  const from = [...reads.map(read => `{{ ref('${read}') }}`), ...(hasSource ? ['{{ source }}'] : [])]
  const column = pick(random, ['id', 'amount', 'id AS key', 'count(*) AS n', 'lower(name) AS name', 'idd'])
  const tables = from.map((each, index) => `${each} AS t${index}`).join(', ')
  return [
    ...(random() < 0.9 ? [`name: ${name}`] : []),
    hasSource
      ? 'ingest: {type: rest_api, endpoint: "https://example.com", resource: things}'
      : 'ingest: none',
    ...(random() < 0.3 ? [`description: ${'x'.repeat(Math.floor(random() * 9))}`] : []),
    `transform: SELECT ${from.length === 0 ? '1 AS id, 2.5 AS amount' : column}${from.length === 0 ? '' : ` FROM ${tables}`}${random() < 0.1 ? " WHERE 1 < {{ var('limit') }}" : ''}`,
    ...(random() < 0.4
      ? [`deploy: {${pick(random, ['enabled: false', 'materialize: ephemeral', 'materialize: view'])}}`]
      : []),
    ...(random() < 0.3
      ? [
          `exposures: [{name: ${pick(random, ['board', 'app'])}, type: ${pick(random, ['dashboard', 'application'])}}]`,
        ]
      : []),
    ...(random() < 0.5
      ? [
          `tests: [${pick(random, ['not_null: id', 'unique: [id]', `relationships: {id: ${pick(random, names)}.id}`, `sql: SELECT * FROM {{ ref('${pick(random, names)}') }} WHERE id < 0`])}]`,
        ]
      : []),
    '',
  ].join('\n')
}

function randomEdit(project: Project, random: Random): Project {
  const path = pick(random, paths)
  const text = project.assets.get(path)?.text
  const chance = random()
  if (chance < 0.12) return project.with(path, undefined)
  if (chance < 0.17) return project.withSettings(project.settings === settings ? otherSettings : settings)
  if (text === undefined || chance < 0.5) return project.with(path, randomFile(random))
  // A keystroke that moves all places behind it.
  return project.with(path, `${'\n'.repeat(1 + Math.floor(random() * 3))}${text.trimStart()}`)
}

function randomSources(random: Random): SourceShapes {
  const column = (name: string): RawColumn => ({
    name,
    type: 'BIGINT',
    path: [name],
    system: false,
    pii: false,
    nullable: true,
  })
  const known = names.filter(() => random() < 0.5)
  return new Map(
    known.map(name => [
      name,
      [{ child: undefined, complete: true, columns: [column('id'), column('amount')] }],
    ]),
  )
}

type Problems = ReadonlyMap<string, readonly Diagnostic[]>

function asText(problems: Problems): string {
  return JSON.stringify(
    [...problems].sort(([a], [b]) => (a < b ? -1 : 1)),
    undefined,
    1,
  )
}

describe('after every one of many edits', () => {
  it.each([seed, seed + 1, seed + 2])(
    'nothing is said that fresh checks would not say (seed %i)',
    async start => {
      const random = seeded(start)
      const catalog = await openCatalog(engine)
      const files = paths.slice(0, 6).map(path => ({ path, text: randomFile(random) }))
      let project = createProject({ settings, files, hash: sha256 })
      let sources = randomSources(random)
      const earlier: Project[] = [project]
      let said = 0
      try {
        for (let edit = 0; edit < 120; edit++) {
          if (random() < 0.05) sources = randomSources(random)
          for (let step = 0; step <= Math.floor(random() * 2); step++) project = randomEdit(project, random)
          // Now and then an editor goes back to what was before.
          if (random() < 0.1) project = pick(random, earlier)
          earlier.push(project)
          const problems = checkProject(project, await catalog.analyze(project, sources), sources)
          const fresh = await freshProblems(project, sources)
          expect(asText(problems), `edit ${edit}`).toBe(asText(fresh))
          expect(pointers(project)).toEqual(pointers(freshProject(project)))
          said += [...fresh.values()].reduce((sum, list) => sum + list.length, 0)
        }
        // The edits were not for nothing.
        expect(said).toBeGreaterThan(1000)
      } finally {
        catalog.close()
      }
    },
    240_000,
  )

  it('the same holds where nobody knows the columns, also around long circles', () => {
    const random = seeded(seed + 3)
    const ring = paths.map((path, index) => ({
      path,
      text: `name: ring${index}\ningest: none\ntransform: SELECT * FROM {{ ref('ring${(index + 1) % paths.length}') }}\n`,
    }))
    let project = createProject({ settings, files: ring, hash: sha256 })
    let sources = randomSources(random)
    let circles = 0
    for (let edit = 0; edit < 1500; edit++) {
      if (random() < 0.05) sources = randomSources(random)
      const { path, text } = pick(random, ring)
      if (random() < 0.1) project = randomEdit(project, random)
      else
        project = project.with(
          path,
          random() < 0.2 ? text.replace('ref(', 'ref( ').replace(/ring\d'/, "none'") : text,
        )
      const fresh = checkProject(freshProject(project), undefined, sources)
      expect(asText(checkProject(project, undefined, sources)), `edit ${edit}`).toBe(asText(fresh))
      if (project.cycles.some(cycle => cycle.length > 6)) circles++
    }
    expect(circles).toBeGreaterThan(50)
  })

  it('a list of problems that is as before is the same list', async () => {
    const catalog = await openCatalog(engine)
    const texts = (sql: string) => `name: a\ningest: none\ntransform: ${sql}\n`
    const files = [
      { path: 'models/a.svc', text: texts('SELECT 1 AS id') },
      { path: 'models/b.svc', text: "name: b\ningest: none\ntransform: SELECT idd FROM {{ ref('a') }}\n" },
      { path: 'models/c.svc', text: "name: c\ningest: none\ntransform: SELECT nope FROM {{ ref('zzz') }}\n" },
    ]
    const before = createProject({ settings, files, hash: sha256 })
    const first = checkProject(before, await catalog.analyze(before, new Map()))
    const after = before.with('models/a.svc', texts('SELECT 1 AS id, 2 AS idd'))
    const second = checkProject(after, await catalog.analyze(after, new Map()))
    expect(first.get('models/b.svc')).toHaveLength(1)
    expect(second.get('models/b.svc')).toEqual([])
    expect(second.get('models/c.svc')).toBe(first.get('models/c.svc'))
    catalog.close()
  })
})

async function freshProblems(project: Project, sources: SourceShapes): Promise<Problems> {
  const catalog = await openCatalog(engine)
  try {
    const fresh = freshProject(project)
    return checkProject(fresh, await catalog.analyze(fresh, sources), sources)
  } finally {
    catalog.close()
  }
}

function freshProject(project: Project): Project {
  return createProject({ settings: project.settings, files: project.assets.values(), hash: sha256 })
}

/** All that a project says about who reads whom. */
function pointers(project: Project) {
  return {
    names: [...project.byName].map(([name, asset]) => [name, asset.path]),
    parents: names.map(name => project.parents(name)),
    children: [...names, 'ordrs'].map(name => project.children(name)),
    order: project.order,
    cycles: project.cycles,
  }
}
