/** What people and scripts give instead of an asset: nothing at all, half a selector, another language. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { shop } from '../shop-project.ts'
import { createGround, expectNoStack, expectRefusal, type Ground } from './command-line.ts'

let ground: Ground

beforeAll(async () => {
  ground = createGround(shop, { program: 'tests' })
  expect((await ground.line(['run'])).code).toBe(0)
})

afterAll(() => ground.dispose())

it.each([
  ['', 'selects nothing'],
  [' ', 'selects nothing'],
  [',', 'selects nothing'],
  ['+', 'selects nothing'],
  ['++', 'selects nothing'],
  ['orders,', 'selects nothing'],
  ['orders,,customers', 'selects nothing'],
  ['tag:', 'no asset has the tag ""'],
  ['tag:nothing', 'no asset has the tag "nothing"'],
  ['tag:croe', 'did you mean "core"?'],
  ['path:', `no asset's file matches ""`],
  ['path:[', `no asset's file matches "["`],
  ['path:(a|b)', `no asset's file matches "(a|b)"`],
  ['path:../..', `no asset's file matches "../.."`],
  ['state:', 'did you mean "state:modified" or "state:new"?'],
  ['result:broken', 'did you mean "result:failed"?'],
  ['tags:core', 'did you mean "tag:"?'],
  [':', 'there is no selector ":"'],
  ['ORDERS', 'did you mean "orders"?'],
  ['+++orders', 'no asset is called "++orders"'],
  ['orders++', 'no asset is called "orders+"'],
  ['@ordres', 'no asset is called "ordres"'],
  ['@', 'selects nothing'],
  ['!ordres', 'no asset is called "ordres"'],
  ['orders &', 'selects nothing'],
  ['1+ordres', 'no asset is called "ordres"'],
  ['x*', `no asset's name matches "x*"`],
  [`'; DROP TABLE x; --`, 'no asset is called'],
  ['"orders"', 'no asset is called'],
  ['😀', 'no asset is called "😀"'],
  ['\ud800', 'no asset is called'],
  ['__proto__', 'no asset is called "__proto__"'],
  ['constructor', 'no asset is called "constructor"'],
  ['a'.repeat(100_000), 'more characters)'],
])('run %j', async (selector, message) => {
  const before = readdirSync(join(ground.root, '.svc'))
  for (const command of ['run', 'preview', 'plan', 'test']) {
    const said = await ground.line([command, selector])
    expectRefusal(said, 2, message)
    expect(said.stdout).toBe('')
    expect(said.stderr.length).toBeLessThan(6000)
  }
  expect(readdirSync(join(ground.root, '.svc'))).toEqual(before)
})

it('spaces and line breaks around names do no harm', async () => {
  const said = await ground.line(['plan', ' orders , customers\n', '--offline'])
  expect(said.code).toBe(0)
  expect(said.stdout).toContain('2 assets are as deployed')
})

it.each(['versions', 'sample', 'inspect'])('%s of what is no asset', async command => {
  for (const name of ['', ' ', ',', 'orders+', '__proto__', 'constructor', '😀', '\ud800']) {
    expectRefusal(await ground.line([command, name]), 2, 'no asset')
  }
})

it('an empty name never rolls back everything', async () => {
  for (const names of [[''], [' '], [','], ['', '']]) {
    expectRefusal(await ground.line(['rollback', ...names]), 2, 'the asset names are empty')
  }
  expectRefusal(await ground.line(['rollback', 'ordres']), 2, 'no asset is called "ordres"')
})

it('runs that there are none of', async () => {
  for (const run of ['0', '-', '😀', "'; DROP", '__proto__']) {
    expectRefusal(await ground.line(['promote', '--', run]), 2, `no run "${run}" in dev`)
    expectRefusal(await ground.line(['sample', 'orders', `--run=${run}`]), 2, `no run "${run}"`)
    expectRefusal(await ground.line(['test', `--run=${run}`]), 2, `no run "${run}"`)
  }
})

it('paths that hold no file of the project', async () => {
  for (const path of ['models/nothing', '../elsewhere', '/etc', ' ', '😀', 'models/orders.svc/x']) {
    expectRefusal(await ground.line(['validate', path]), 2, `no .svc file at "${path}"`)
  }
  expectRefusal(await ground.line(['validate', '']), 2, 'the path is empty')
  expectRefusal(await ground.line(['inspect', '/etc/passwd']), 2, 'no asset file at "/etc/passwd"')
  for (const path of ['/', '..', '.', ground.root]) {
    const said = await ground.line(['validate', path])
    expectNoStack(said)
    expect(said.stdout).toContain('4 passed')
  }
})

it('names that no asset can have', async () => {
  for (const name of [
    '',
    ' ',
    '1st',
    'a.b',
    'a b',
    '../evil',
    'ä',
    '😀',
    '\u0000',
    'a'.repeat(300),
    'svc_x',
    'orders__raw',
  ]) {
    const said = await ground.line(['create', 'asset', name])
    expectNoStack(said)
    expect(said.code, name).toBe(2)
  }
  expect(readdirSync(join(ground.root, 'models')).sort()).toEqual(['customers.svc', 'marts', 'orders.svc'])
})
