/** A file of the project that has no end, such as a link to a device, is named and not read. */
import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createProject } from '../../support/cli.ts'

it.each(['svc.yaml', 'glossary.yaml', 'schemas.lock.json', 'models/b.svc'])('%s', async name => {
  const p = createProject({
    'svc.yaml': 'name: endless\n',
    'models/a.svc':
      'name: a\ningest: {type: rows, rows: [{id: 1}]}\ntransform: SELECT id FROM {{ source }}\n',
  })
  try {
    rmSync(join(p.root, name), { force: true })
    symlinkSync('/dev/zero', join(p.root, name))
    const { code, stderr } = await p.svc(['validate'])
    // An asset has to be a file, as everything else below models.
    expect(code).toBe(name.startsWith('models') ? 0 : 3)
    if (code === 3) expect(stderr.replace(/\s+/g, ' ')).toContain(`${name}: it is no file`)
  } finally {
    p.dispose()
  }
})
