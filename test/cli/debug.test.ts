/** `--debug` of the commands that change something: what the warehouse is asked is told. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { commandSections } from '../../cli/commands/index.ts'
import { createGround, type Ground } from './bad-input/command-line.ts'
import { shop } from './shop-project.ts'

let ground: Ground

beforeEach(() => {
  ground = createGround(shop)
})

afterEach(() => ground.dispose())

it('every command with a lease takes it', () => {
  const commands = commandSections.flatMap(section => section.commands)
  const without = ['run', 'preview', 'promote', 'rollback', 'retry', 'gc'].filter(
    name => !commands.find(command => command.name === name)?.options.some(option => option.name === 'debug'),
  )
  expect(without).toEqual([])
})

it('svc retry shows the statements of the run that it makes', async () => {
  ground.write(
    'models/late.svc',
    "name: late\ningest: none\ntransform: SELECT CAST('x' || id AS INTEGER) AS n FROM {{ ref('customers') }}\n",
  )
  expect((await ground.line(['run'])).code).toBe(1)
  ground.write('models/late.svc', 'name: late\ningest: none\ntransform: SELECT 1 AS n\n')
  const said = await ground.line(['retry', '--debug'])
  expect(said.code, said.stderr).toBe(0)
  expect(said.stderr).toMatch(/^-- late: new, nothing of it is live$/m)
  expect(said.stderr).toMatch(/^-- \d.*\n-- table svc_g_\w+\.late\nSELECT 1/im)
  const events = await ground.line(['retry', '--debug', '--log-format', 'json'])
  expect(events).toEqual({ code: 0, stdout: '', stderr: '' })
})

it('svc gc shows what it asks and what it drops', async () => {
  expect((await ground.line(['run'])).code).toBe(0)
  const said = await ground.line(['gc', '--debug'])
  expect(said.code).toBe(0)
  expect(said.stderr).toMatch(/^-- [\d.]+ m?s, \d+ rows?\nSELECT .*svc_state_history/m)
  const plain = await ground.line(['gc'])
  expect(plain.stderr).not.toContain('SELECT')
  const events = await ground.line(['gc', '--debug', '--log-format', 'json'])
  const types = events.stdout
    .trim()
    .split('\n')
    .map(line => (JSON.parse(line) as { type: string }).type)
  expect(types).toContain('statement')
})
