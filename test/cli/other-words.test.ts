/** What people write who know other tools, or name things as they do elsewhere in a project: what is meant is said. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCommand, svcLauncher } from '../support/cli.ts'
import { createGround, expectRefusal, type Ground } from './bad-input/command-line.ts'

let ground: Ground
beforeAll(() => {
  ground = createGround({
    'svc.yaml': 'name: shop\n',
    'models/marts/good.svc': 'name: good\ningest: none\ntransform: SELECT 1 AS id\n',
    'models/sent.svc':
      'name: sent\ningest: none\ntransform: SELECT 1 AS id\npublish: {crm: {type: rest_api, endpoint: "https://x.example.com", resource: y, key: id}}\n',
    'models/asked.svc':
      'name: asked\ningest: {type: http, endpoint: "https://x.example.com", resource: y}\ntransform: SELECT * FROM {{ source }}\n',
    'models/tested.svc':
      'name: tested\ningest: none\ntransform: SELECT 1 AS id\ntests:\n  - unique\n  - id: [unique]\n',
  })
})
afterAll(() => ground.dispose())

const sentence = (text: string) => text.replace(/[\s│^]+/g, ' ')

describe('a command', () => {
  it.each([
    ['list', 'ls'],
    ['build', 'run'],
    ['format', 'fmt'],
    ['undo', 'rollback'],
    ['history', 'versions'],
    ['valdate', 'validate'],
  ])('%s of other tools is svc %s', async (written, meant) => {
    expectRefusal(
      await ground.line([written]),
      2,
      `svc has no command "${written}"; did you mean "${meant}"?`,
    )
  })

  it('takes the name of an asset for its file', async () => {
    const validated = await ground.line(['validate', 'good'])
    expect([validated.code, validated.stdout]).toEqual([0, expect.stringContaining('models/marts/good.svc')])
    ground.write('models/marts/good.svc', 'name: good\ningest: none\ntransform: select 1 as id\n')
    expect((await ground.line(['fmt', 'good'])).code).toBe(0)
    expect(readFileSync(join(ground.root, 'models/marts/good.svc'), 'utf8')).toContain('SELECT 1 AS id')
    expectRefusal(
      await ground.line(['validate', 'goood']),
      2,
      'no .svc file at "goood"; did you mean "good"?',
    )
    expectRefusal(await ground.line(['fmt', 'goood']), 2, 'there is no file or folder "goood"')
  })
})

describe('a file', () => {
  const problemsOf = async (name: string) => {
    const { stdout } = await ground.line(['validate', name, '--json'])
    const { files } = JSON.parse(stdout) as { files: { diagnostics: { message: string; hint: string }[] }[] }
    return files.flatMap(({ diagnostics }) => diagnostics.map(({ message, hint }) => `${message}: ${hint}`))
  }

  it('that calls a kind as another key does has one problem, and what is meant', async () => {
    expect(await problemsOf('sent')).toEqual([
      expect.stringMatching(/^"rest_api" is not a value of "publish\.crm\.type": did you mean "http"\?/),
    ])
    expect(await problemsOf('asked')).toEqual([
      expect.stringMatching(/^"http" is not a value of "ingest\.type": did you mean "rest_api"\?/),
    ])
  })

  it('that has tests in the shape of other tools gets an example', async () => {
    expect(await problemsOf('tested')).toEqual([
      expect.stringMatching(
        /^"tests\[0\]" must be a mapping.*: Write it as - unique: id, or - accepted_values: /,
      ),
      expect.stringMatching(/^unknown key "id" in "tests\[1\]": Write it as - unique: id, or /),
    ])
  })

  it('with an error is one that svc doctor names', async () => {
    const { code, stdout } = await ground.line(['doctor'])
    expect(code).toBe(1)
    expect(sentence(stdout)).toMatch(/FAIL files \d errors in \d files svc validate shows them\./)
  })
})

it('svc --help says where the pages are', () => {
  buildCommand()
  const { stdout } = spawnSync(process.execPath, [svcLauncher, '--help'], { encoding: 'utf8' })
  const [, folder = ''] = /all pages are in (\S+)\.$/.exec(sentence(stdout).trim()) ?? []
  expect(readFileSync(join(folder, 'getting-started.md'), 'utf8')).toContain('# Getting started')
})
