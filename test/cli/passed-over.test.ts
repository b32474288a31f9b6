/** Files that look as if they belonged to a project and are not read: which are told, where, and by which commands. */
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createGround } from './bad-input/command-line.ts'

const asset = (name: string) => `name: ${name}\ningest: none\ntransform: SELECT 1 AS id\n`

test('each file that is passed over is told with the reason, by validate, plan and run', async () => {
  const ground = createGround({
    'svc.yaml': 'name: shop\n',
    'models/orders.svc': asset('orders'),
    'models/old/Customers.SVC': asset('customers'),
    'models/.drafts/one.svc': asset('one'),
    'models/.drafts/two.svc': asset('two'),
    'models/.hidden.svc': asset('hidden'),
    'models/.notes/readme.txt': 'nothing of svc',
    'models/node_modules/a/b.svc': asset('b'),
    'macros/Money.SQL': 'CREATE MACRO cents(x) AS x * 100;\n',
    'tests/deep/positive.sql': 'SELECT 1',
  })
  try {
    symlinkSync('nowhere.svc', join(ground.root, 'models', 'gone.svc'))
    const validated = await ground.line(['validate', '--format', 'lines'])
    expect(validated.code, validated.stderr).toBe(0)
    const told = validated.stdout.split('\n').filter(line => line.includes('[file-passed-over]'))
    expect(told.map(line => line.split(';')[0])).toEqual([
      'models/.drafts: info: the folder with 2 files .svc is not read: its name begins with a dot',
      'models/.hidden.svc: info: the file is not read: its name begins with a dot',
      'models/gone.svc: warning: it is a link that leads nowhere, so it is not read',
      'models/old/Customers.SVC: warning: the file is not read: its name ends in ".SVC"',
      'macros/Money.SQL: warning: the file is not read: its name ends in ".SQL"',
      'tests/deep/positive.sql: warning: the file is not read: it stands in a folder of its own',
    ])
    // A hidden file is meant to be hidden; the others are not.
    const places = ['macros/Money.SQL', 'models/gone.svc', 'models/old/Customers.SVC']
    for (const command of ['plan', 'run']) {
      const { stdout } = await ground.line([command, '--json'])
      const said = JSON.parse(stdout) as Record<string, readonly { code: string; place: string }[]>
      const passed = (said['file_warnings'] ?? said['warnings'] ?? []).filter(
        ({ code }) => code === 'file-passed-over',
      )
      expect(passed.map(({ place }) => place).sort(), command).toEqual([...places, 'tests/deep/positive.sql'])
    }
  } finally {
    ground.dispose()
  }
})
