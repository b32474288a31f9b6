/** Files that come and go while a project is read are no news for the log. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { engineOf } from '../../server/language/engines/index.ts'
import { noOwnTests } from '../../server/language/index.ts'
import { loadFiles } from '../../server/lsp/project/load-files.ts'
import type { ProjectHost } from '../../server/lsp/project/project-host.ts'

it('a file that is removed while others are read is left out without a word', async () => {
  const root = mkdtempSync(join(tmpdir(), 'svc-load-'))
  mkdirSync(join(root, 'models'))
  for (const name of ['a', 'b', 'c'])
    writeFileSync(
      join(root, 'models', `${name}.svc`),
      `name: ${name}\ningest: none\ntransform: SELECT 1 AS x\n`,
    )
  const warnings: string[] = []
  const host = {
    now: () => new Date(),
    program: undefined,
    progress: () => ({ report() {}, end() {} }),
    log: { warn: (message: string) => warnings.push(message) },
  } as unknown as ProjectHost
  const loaded = await loadFiles({
    root,
    models: 'models/',
    settings: { engine: engineOf('duckdb:'), defaults: [], ownTests: noOwnTests },
    known: new Map(),
    host,
    onChanged() {},
    onAsset: ({ name }) => {
      if (name === 'a') rmSync(join(root, 'models', 'b.svc'))
    },
    isClosed: () => false,
  })
  expect(loaded.assets.map(({ name }) => name)).toEqual(['a', 'c'])
  expect(warnings).toEqual([])
  rmSync(root, { recursive: true })
})
