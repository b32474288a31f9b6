/** Many files that change in one step: the snapshot is the one that a fresh start would make. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createProject, type Project, parseSettings } from '../../server/language/index.ts'
import { assetChanges, mayDiffer } from '../../server/language/project/asset-changes.ts'
import { differingKeys, patched } from '../../server/language/project/patched-map.ts'

const hash = (text: string) => createHash('sha256').update(text).digest('hex')
const settings = parseSettings('name: p\n')
const text = (name: string, sql: string, more = '') =>
  `name: ${name}\ningest: none\n${more}transform: ${sql}\n`
const made = (files: Readonly<Record<string, string>>): Project =>
  createProject({
    settings,
    hash,
    files: Object.entries(files).map(([path, content]) => ({ path, text: content })),
  })
const first = {
  'models/a.svc': text('a', 'SELECT 1 AS x'),
  'models/b.svc': text('b', "SELECT x FROM {{ ref('a') }}"),
  'models/c.svc': text('c', "SELECT x FROM {{ ref('b') }}"),
}

function seen(project: Project) {
  const names = [...project.byName.keys()]
  return {
    files: [...project.assets].map(([path, asset]) => [path, asset.text]),
    names: [...project.byName].map(([name, { path }]) => [name, path]),
    parents: names.map(name => project.parents(name)),
    children: names.map(name => project.children(name)),
    order: project.order,
    cycles: project.cycles,
  }
}

describe('many files that change in one step', () => {
  it.each<[string, Record<string, string | undefined>]>([
    [
      'others inside',
      {
        'models/a.svc': text('a', 'SELECT 2 AS x'),
        'models/c.svc': text('c', "SELECT 1 AS y FROM {{ ref('b') }}"),
      },
    ],
    [
      'rewired',
      {
        'models/c.svc': text('c', "SELECT x FROM {{ ref('a') }}"),
        'models/b.svc': text('b', 'SELECT 3 AS x'),
      },
    ],
    ['renamed', { 'models/a.svc': text('z', 'SELECT 1 AS x') }],
    [
      'come and gone',
      { 'models/aa.svc': text('aa', "SELECT x FROM {{ ref('c') }}"), 'models/b.svc': undefined },
    ],
    ['a second of one name', { 'models/A.svc': text('a', 'SELECT 4 AS x') }],
    ['switched off', { 'models/b.svc': text('b', 'SELECT 1 AS x', 'deploy: {enabled: false}\n') }],
    ['in a circle', { 'models/a.svc': text('a', "SELECT x FROM {{ ref('c') }}") }],
  ])('%s', (_, changes) => {
    const before = made(first)
    // Worked out before, so that it could be taken over by mistake.
    seen(before)
    const after = before.withFiles(new Map(Object.entries(changes)))
    const files = Object.entries({ ...first, ...changes }).filter(
      (each): each is [string, string] => each[1] !== undefined,
    )
    expect(seen(after)).toEqual(seen(made(Object.fromEntries(files))))
    const paths = assetChanges(before, after).map(change => (change.after ?? change.before)?.path)
    expect(paths.sort()).toEqual(Object.keys(changes).sort())
    for (const [path, asset] of before.assets)
      if (!(path in changes)) expect(after.assets.get(path)).toBe(asset)
  })

  it('the same texts give the same snapshot', () => {
    const before = made(first)
    expect(before.withFiles(new Map([...Object.entries(first), ['models/none.svc', undefined]]))).toBe(before)
  })

  it('what is found out about some assets stands unless those, or names, have changed', () => {
    const before = made(first)
    const isA = ({ name }: { readonly name: string }) => name === 'a'
    const with_ = (path: string, content: string) => before.withFiles(new Map([[path, content]]))
    expect(mayDiffer(undefined, before, isA)).toBe(true)
    expect(mayDiffer(before, before, isA)).toBe(false)
    expect(mayDiffer(before, with_('models/c.svc', text('c', 'SELECT 9 AS x')), isA)).toBe(false)
    expect(mayDiffer(before, with_('models/a.svc', text('a', 'SELECT 9 AS x')), isA)).toBe(true)
    expect(mayDiffer(before, with_('models/c.svc', text('d', 'SELECT 9 AS x')), isA)).toBe(true)
  })
})

it('maps that were patched from one another tell where they differ', () => {
  const base = new Map(Array.from({ length: 100 }, (_, index) => [`k${index}`, index] as const))
  const one = patched(base, 'k1', -1)
  const two = patched(patched(one, 'k2', -2), 'k1', 1)
  expect(differingKeys(base, base)).toEqual([])
  expect(differingKeys(base, one)).toEqual(['k1'])
  expect([...(differingKeys(one, two) ?? [])].sort()).toEqual(['k1', 'k2'])
  expect(differingKeys(base, patched(two, 'k2', undefined))).toEqual(['k2'])
  expect(differingKeys(base, new Map(base))).toBeUndefined()
})
