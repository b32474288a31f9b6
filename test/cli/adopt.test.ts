import Ajv2020 from 'ajv/dist/2020.js'
import { afterAll, expect, it } from 'vitest'
import { outputSchemas } from '../../server/contract/index.ts'
import type { TestProject } from '../support/cli.ts'
import { createProjectHere } from '../support/cli-here.ts'

const project: TestProject = createProjectHere({
  'svc.yaml': 'name: shop\n',
  'models/a.svc': 'name: a\ningest: none\ntransform: SELECT 1 AS n\n',
})

afterAll(() => project.dispose())

it('a project that was renamed is told whose its views are, and takes its state over', async () => {
  expect((await project.svc(['run'])).code).toBe(0)
  project.write('svc.yaml', 'name: store\n')
  const refused = await project.svc(['run'])
  expect(refused.code).not.toBe(0)
  expect(refused.stderr).toContain('belongs to the project "shop"')
  expect(refused.stderr).toContain('svc init --adopt shop')
  const unknown = await project.svc(['init', '--adopt', 'shopp'])
  expect(unknown.code).toBe(2)
  expect(unknown.stderr).toContain('no project "shopp" has state in this warehouse')
  expect(unknown.stderr).toContain('"shop"')
  const adopted = await project.json(['init', '--adopt', 'shop', '--json'])
  const schema = outputSchemas['init']
  if (schema === undefined) throw new Error('init has no schema')
  expect(new Ajv2020({ strict: true }).validate(schema, adopted.value)).toBe(true)
  expect(adopted.value).toMatchObject({ adopted: 'shop' })
  const next = await project.svc(['run'])
  expect(next.code).toBe(0)
  expect(next.stdout + next.stderr).not.toContain('building')
  const again = await project.svc(['init', '--adopt', 'shop'])
  expect(again.code).toBe(2)
})
