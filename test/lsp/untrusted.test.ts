/** Before a folder is trusted nothing outside of it is looked at, whatever path or link leads there. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { staysInside } from '../../server/catalog/index.ts'
import { buildCommand } from '../support/cli.ts'
import { type Editor, startEditor } from './editor.ts'

let folder = ''
let root = ''

const source = (name: string, endpoint: string, resource: string) =>
  `name: ${name}\ningest: {type: file, endpoint: ${endpoint}, resource: "${resource}"}\ntransform: SELECT nothing FROM {{ source }}\n`

beforeAll(() => {
  buildCommand()
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-untrusted-')))
  root = join(folder, 'project')
  for (const path of ['outside/deep', 'project/models', 'project/data', 'project/macros'])
    mkdirSync(join(folder, path), { recursive: true })
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text)
  write('outside/secret.csv', 'secret_column\n1\n')
  write('outside/linked.svc', 'name: linked\ningest: none\ntransform: SELEC 1\n')
  write('outside/linked.sql', 'CREATE MACRO broken(')
  write('project/data/own.csv', 'own_column\n1\n')
  write('project/svc.yaml', 'name: shop\nwarehouse: duckdb:./w.duckdb\n')
  const link = (target: string, path: string) => symlinkSync(target, join(root, path))
  link(join(folder, 'outside/secret.csv'), 'data/link.csv')
  link('../../outside', 'data/folder')
  link('own.csv', 'data/near.csv')
  link(join(folder, 'outside/linked.svc'), 'models/linked.svc')
  link(join(folder, 'outside/linked.sql'), 'macros/linked.sql')
  const models = {
    absolute: [join(folder, 'outside'), 'secret.csv'],
    above: ['data', '../../outside/*.csv'],
    endpoint: ['../outside', 'secret.csv'],
    through_link: ['data', 'link.csv'],
    through_folder: ['data', 'folder/*.csv'],
    near: ['data', 'near.csv'],
  }
  for (const [name, [endpoint = '', resource = '']] of Object.entries(models))
    write(`project/models/${name}.svc`, source(name, endpoint, resource))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function startIn(words: readonly string[]) {
  const editor: Editor = await startEditor({ folders: [root], words })
  const addressOf = (name: string) => pathToFileURL(join(root, name)).href
  const said = async (name: string, isWanted: RegExp) => {
    const found = await editor.published(addressOf(name), list =>
      list.some(each => isWanted.test(String(each.message))),
    )
    return found.map(({ message }) => String(message).replaceAll(folder, ''))
  }
  return { editor, said, addressOf }
}

describe('a project that reaches outside', () => {
  it('is not followed there before it is trusted', async () => {
    const { editor, said, addressOf } = await startIn([])
    const refused = async (name: string) => {
      const told = (await said(name, /not looked at/)).join('\n')
      return /looked at: (\S*) is outside of a project that is not trusted/.exec(told)?.[1]
    }
    expect(await refused('models/absolute.svc')).toBe('/outside')
    expect(await refused('models/endpoint.svc')).toBe('/outside')
    expect(await refused('models/above.svc')).toBe('')
    expect(await refused('models/through_link.svc')).toBe('/project/data/link.csv')
    expect(await refused('models/through_folder.svc')).toBe('/project/data/folder')
    // A column that is said not to be there was looked for.
    expect(await said('models/near.svc', /nothing/)).toHaveLength(1)
    expect(editor.diagnostics.get(addressOf('models/linked.svc')) ?? []).toEqual([])
    expect(editor.diagnostics.get(addressOf('macros/linked.sql')) ?? []).toEqual([])
    await editor.quit()
  })

  it('is followed once it is', async () => {
    const { editor, said } = await startIn(['--trusted'])
    for (const name of ['absolute', 'endpoint', 'above', 'through_link', 'through_folder'])
      expect(await said(`models/${name}.svc`, /nothing/), name).toHaveLength(1)
    expect(await said('models/linked.svc', /SELEC/)).toHaveLength(1)
    await editor.quit()
  })
})

describe('staysInside', () => {
  it('follows links by their texts alone, and gives up on those without an end', () => {
    symlinkSync('b', join(root, 'a'))
    symlinkSync('a', join(root, 'b'))
    const inside = (path: string) => staysInside(root, join(root, path))
    expect(['', 'data/own.csv', 'data/near.csv', 'not/there.csv'].map(inside)).toEqual([
      true,
      true,
      true,
      true,
    ])
    expect(['..', '../project-2/x', 'a/x', 'data/link.csv', 'data/folder/deep'].map(inside)).toEqual(
      Array(5).fill(false),
    )
  })
})
