/** What `npm run editor` opens: its first run succeeds by itself, and what was changed in it stays. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { prepareExample } from '../../scripts/example-editor.mjs'
import { buildCommand, svcLauncher } from '../support/cli.ts'

test('the first run of the example in the editor succeeds', async () => {
  buildCommand()
  const folder = join(mkdtempSync(join(tmpdir(), 'svc-editor-')), 'flights')
  const settings = () => JSON.parse(readFileSync(join(folder, '.vscode/settings.json'), 'utf8'))
  const first = await prepareExample(folder)
  await first.close()
  writeFileSync(join(folder, '.vscode/settings.json'), JSON.stringify({ ...settings(), 'editor.tabSize': 2 }))
  writeFileSync(join(folder, 'models/mine.svc'), 'name: mine\ningest: none\ntransform: SELECT 1 AS one\n')
  const { close } = await prepareExample(folder)
  try {
    expect(settings()).toMatchObject({
      'editor.tabSize': 2,
      'svc.env': { QUAKES_URL: expect.stringMatching(/^http:/) },
    })
    const { PATH } = process.env
    const env = { PATH, HOME: folder, ...settings()['svc.env'] }
    // The service answers in this process, so the run must not block it.
    const child = spawn(process.execPath, [svcLauncher, 'run', 'earthquakes,mine'], { cwd: folder, env })
    const code = await new Promise(resolve => child.on('close', resolve))
    expect(code).toBe(0)
  } finally {
    await close()
    rmSync(folder, { recursive: true, force: true })
  }
})
