/** `svc agents`: what it writes, what it leaves, and when it changes. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createProjectHere, type ProjectHere } from '../support/cli-here.ts'

let project: ProjectHere
beforeEach(() => {
  project = createProjectHere({
    'svc.yaml': 'name: shop\nenvironments: {prod: {}, ci: {}}\n',
    'glossary.yaml':
      'policies: [{name: No people, rule: "Boards show\n  nobody.", applies_to: [marts.*]}, {name: Off, applies_to: [marts.*], enforcement: "off"}]\n',
    'models/raw/orders.svc': `name: orders
description: Orders of the shop.
owner: sales
tags: [core]
ingest: {type: rows, rows: [{id: 1}]}
contract: {columns: {id: bigint}}
transform: SELECT id FROM {{ source }}
tests: [{unique: id}]
`,
    'models/marts/totals.svc':
      "name: totals\ndescription: How many.\ningest: none\ntransform: SELECT count(*) AS n FROM {{ ref('orders') }}\ntests: [{not_null: n}]\n",
  })
})
afterEach(() => project.dispose())

const text = () => readFileSync(join(project.root, 'AGENTS.md'), 'utf8')

it('writes what the project does, and nothing that only may be', async () => {
  expect(await project.svc(['agents'])).toMatchObject({ code: 0, stdout: '✓ AGENTS.md written\n' })
  for (const part of [
    '# Data pipelines of shop',
    'SQL is that of DuckDB',
    '`models/marts/`, `models/raw/`',
    'Every asset has a `description`, tests: a new one too.',
    'Every source has a `contract`',
    'Tags in use: `core`.',
    'Kinds of test in use: `not_null`, `unique`.',
    '- No people: Boards show nobody.',
  ])
    expect(text()).toContain(part)
  expect(text()).not.toContain('an `owner`')
  expect(text()).not.toContain('- Off')
})

it('stays as it is while assets come and go, and changes with a convention', async () => {
  await project.svc(['agents'])
  const before = text()
  const totals = readFileSync(join(project.root, 'models/marts/totals.svc'), 'utf8')
  project.write('models/marts/sums.svc', totals.replace('name: totals', 'name: sums'))
  expect((await project.svc(['agents', '--check'])).code).toBe(0)
  expect(await project.json(['agents', '--json'])).toMatchObject({ code: 0, value: { status: 'unchanged' } })
  project.write('models/marts/sums.svc', totals.replace('name: totals', 'name: sums\ntags: [daily]'))
  const outdated = await project.svc(['agents', '--check'])
  expect(outdated).toMatchObject({
    code: 1,
    stdout: '✗ AGENTS.md is not as the project is now: svc agents\n',
  })
  expect(text()).toBe(before)
  await project.svc(['agents'])
  expect(text()).toContain('`core`, `daily`')
  expect((await project.svc(['agents', '--check'])).code).toBe(0)
})

it('leaves the text of others around its own', async () => {
  project.write('AGENTS.md', '# Ours\n\nBe kind.\n')
  await project.svc(['agents'])
  project.write('AGENTS.md', `${text()}\n## More of ours\n`)
  project.write('svc.yaml', 'name: store\n')
  await project.svc(['agents'])
  expect(text()).toMatch(
    /^# Ours\n\nBe kind\.\n\n<!-- svc agents: .+\n# Data pipelines of store\n[\s\S]+<!-- svc agents: end -->\n\n## More of ours\n$/,
  )
  expect(text().match(/svc agents: end/g)).toHaveLength(1)
})

it('prints without writing', async () => {
  const { stdout } = await project.svc(['agents', '--no-write'])
  expect(stdout).toMatch(/^# Data pipelines of shop\n/)
  expect(await project.json(['agents', '--no-write', '--json'])).toMatchObject({
    value: { path: 'AGENTS.md', status: 'outdated' },
  })
  expect(existsSync(join(project.root, 'AGENTS.md'))).toBe(false)
})
