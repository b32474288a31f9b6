/** None of the hostile patches is applied, each is refused for its own reason, and every file stays as it is. */
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { JsonOf } from '../../../server/contract/index.ts'
import { createProjectHere, type ProjectHere } from '../../support/cli-here.ts'
import { sample } from '../../support/long.ts'
import { hostilePatches } from './hostile-patches.ts'
import { hostileProject, knownSecret } from './hostile-project.ts'
import { filesOf } from './patch-of.ts'

let outer: ProjectHere
let root = ''
beforeAll(() => {
  outer = createProjectHere(
    Object.fromEntries(Object.entries(hostileProject).map(([path, text]) => [`project/${path}`, text])),
  )
  root = join(outer.root, 'project')
  outer.write('secret.svc', 'name: secret\ningest: none\ntransform: SELECT 1 AS id\n')
  outer.write('elsewhere/keep.txt', 'mine\n')
  symlinkSync(join(outer.root, 'secret.svc'), join(root, 'models/link.svc'))
  symlinkSync('../other/outside.svc', join(root, 'models/inside-link.svc'))
  symlinkSync(join(outer.root, 'elsewhere'), join(root, 'models/linked'))
  mkdirSync(join(root, 'models/folder.svc'))
  appendFileSync(join(root, 'models/latin.svc'), Buffer.from([0x23, 0xe9, 0x0a]))
})
afterAll(() => outer.dispose())

it('are at least 150', () => {
  expect(hostilePatches.length).toBeGreaterThanOrEqual(150)
  expect(new Set(hostilePatches.map(({ name }) => name)).size).toBe(hostilePatches.length)
})

it('none is applied, and each is told for what it is', async () => {
  const file = join(outer.root, 'patch.json')
  writeFileSync(file, '')
  const before = { ...filesOf(outer.root), 'patch.json': null }
  const wrong: string[] = []
  for (const { name, text, code } of sample(hostilePatches, 3)) {
    writeFileSync(file, text(root))
    // A yes to weakened checks lets nothing else through.
    const yes = code === 'weaker' ? [] : ['--yes']
    const {
      code: exit,
      stdout,
      stderr,
    } = await outer.svc(['ai', 'apply', '../patch.json', '--json', ...yes], {
      cwd: 'project',
      env: { HOSTILE_TOKEN: knownSecret },
    })
    const said = JSON.parse(stdout) as JsonOf<'ai-apply'>
    const codes = code === 'weaker' ? [said.status] : said.refusals.map(each => each.code)
    const wanted = code === 'weaker' ? 'unconfirmed' : code
    if (exit !== 1 || !codes.includes(wanted)) wrong.push(`${name}: ${exit} ${codes.join()} ${stderr}`)
    if (said.refusals.some(({ hint }) => hint === null)) wrong.push(`${name}: a refusal without advice`)
    if (stdout.includes(knownSecret)) wrong.push(`${name}: shows a secret`)
    const after = { ...filesOf(outer.root), 'patch.json': null }
    if (JSON.stringify(after) !== JSON.stringify(before)) wrong.push(`${name}: a file has changed`)
  }
  expect(wrong).toEqual([])
  expect(({} as { readonly polluted?: boolean }).polluted).toBeUndefined()
}, 300_000)
