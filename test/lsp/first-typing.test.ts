/** Text that is typed while the engine starts and files are read for the first time is the text that is checked. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { buildCommand } from '../support/cli.ts'
import { startEditor } from './editor.ts'

beforeAll(buildCommand, 240_000)

const model = (column: string) => `name: a\ningest: none\ntransform: SELECT ${column} FROM (SELECT 1 AS x)\n`

// The extension is built into the engine, and still has to be looked for before the engine starts.
it.each([
  ['without extensions', ''],
  ['with an extension', 'extensions: [json]\n'],
])(
  '%s',
  async (_, settings) => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-typing-')))
    mkdirSync(join(root, 'models'))
    writeFileSync(join(root, 'svc.yaml'), `name: p\n${settings}`)
    for (let index = 0; index < 200; index++)
      writeFileSync(
        join(root, 'models', `m${index}.svc`),
        `name: m${index}\ningest: none\ntransform: SELECT 1 AS id\n`,
      )
    const file = join(root, 'models', 'a.svc')
    writeFileSync(file, model('x'))
    const { href: uri } = pathToFileURL(file)

    // Each pause lets the last key come in another moment of the start.
    for (const pauseMs of [0, 15, 40]) {
      const editor = await startEditor({ folders: [root] })
      const wrong: string[] = []
      // Version 1 is the text that was opened, and each key makes the next one.
      editor.onPublished(({ uri: published, version, diagnostics }) => {
        if (published !== uri || version === undefined || version === 1) return
        const messages = diagnostics.map(({ message }) => message).join()
        if (!messages.includes(`"nope${version - 2}"`)) wrong.push(`version ${version}: ${messages}`)
      })
      editor.open(uri, model('x'))
      for (let key = 0; key < 20; key++) {
        editor.change(uri, { text: model(`nope${key}`) })
        await wait(pauseMs)
      }
      const messages = () => (editor.diagnostics.get(uri) ?? []).map(({ message }) => message).join()
      await expect.poll(messages, { timeout: 30_000 }).toContain('nope19')
      expect(wrong).toEqual([])
      expect(await editor.quit()).toBe(0)
      expect(editor.log).toEqual([])
    }
    rmSync(root, { recursive: true })
  },
  240_000,
)
