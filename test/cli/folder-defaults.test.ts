/** `defaults` of `svc.yaml` on the command line: every command reads an asset with what it inherits. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { outputSchemas } from '../../server/contract/index.ts'
import { createGround, type Ground } from './bad-input/command-line.ts'
import { shop } from './shop-project.ts'

let ground: Ground
/** The program keeps what it finds out, so that stored assets inherit too. */
const kept = { program: 'these tests', now: () => new Date(Date.now() + 60_000) }

const say = (...words: string[]) => ground.line(words, kept)

function defaults(text: string): void {
  ground.write('svc.yaml', `${shop['svc.yaml']}${text}`)
}

beforeAll(async () => {
  ground = createGround(shop)
  expect((await say('run')).code).toBe(0)
})
afterAll(() => ground.dispose())

it('plans exactly what changed defaults reach, and says from where', async () => {
  defaults(
    'defaults:\n  models/marts/**:\n    deploy: {materialize: view}\n    owner: marts@example.com\n    tags: [mart]\n',
  )
  const { stdout, code } = await say('plan', '--offline')
  expect(code, stdout).toBe(0)
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    'deploy.materialize: "table" -> "view" (svc.yaml, models/marts/**)',
  )
  expect(stdout).toMatch(/~ daily_sales +modified/)
  expect(stdout).toContain('= 3 assets')
  const { value } = await ground.json(['plan', '--offline', '--json'], kept)
  const ajv = new Ajv2020()
  expect(ajv.validate(outputSchemas['plan'] ?? {}, value), JSON.stringify(ajv.errors)).toBe(true)
  expect(JSON.stringify(value)).toContain('"inherited_from":"models/marts/**"')
  expect((await say('run')).stdout).toContain('1 built, 3 reused')
  expect((await say('plan', '--offline')).stdout).not.toContain('modified')
})

it('is seen by selectors, by inspect and in the manifest', async () => {
  expect((await say('ls', 'tag:mart')).stdout).toBe('best_customers\ndaily_sales\n')
  expect((await say('ls', 'owner:marts@example.com')).stdout).toBe('best_customers\ndaily_sales\n')
  const { stdout } = await say('inspect', 'daily_sales')
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    'Inherits deploy.materialize: view (models/marts/**); owner: marts@example.com (models/marts/**); tags: mart (models/marts/**)',
  )
  const { value } = await ground.json(['inspect', 'best_customers', '--json'], kept)
  const ajv = new Ajv2020()
  expect(ajv.validate(outputSchemas['inspect'] ?? {}, value), JSON.stringify(ajv.errors)).toBe(true)
  expect(value).toMatchObject({
    blocks: { deploy: { materialize: 'view' } },
    inherited: { owner: 'marts@example.com', tags: ['mart'] },
  })
  expect((value as { inherited: object }).inherited).not.toHaveProperty('deploy')
})

it('is forgotten where it is taken out, also by what earlier commands kept', async () => {
  defaults('defaults:\n  models/marts/**: {tags: [late]}\n')
  expect((await say('ls', 'tag:late')).stdout).toBe('best_customers\ndaily_sales\n')
  expect((await say('plan', '--offline')).stdout).toContain('deploy.materialize: "view" -> "table"')
  defaults('')
  const said = await say('ls', 'tag:late')
  expect([said.code, said.stderr]).toEqual([2, expect.stringContaining('no asset has the tag "late"')])
})

it('warns of a pattern that fits nothing, and refuses what is wrong', async () => {
  defaults('defaults:\n  models/mart/**: {tags: mart}\n')
  const warned = await say('validate')
  expect([warned.code, warned.stdout]).toEqual([0, expect.stringContaining('"models/mart/**" fits no asset')])
  defaults('defaults:\n  models/marts/**: {deploy: {materialize: veiw}}\n')
  expect(await say('run')).toMatchObject({ code: 2, stderr: expect.stringContaining('svc.yaml:4:') })
})
