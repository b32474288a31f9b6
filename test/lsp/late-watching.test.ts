/** What happens on disk between the reading of a project and the first look of an editor's watcher. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LiveProject } from '../../server/lsp/project/live-project.ts'
import type { ProjectHost } from '../../server/lsp/project/project-host.ts'

it('a file that is removed before anybody watches does not keep its problems', async () => {
  const root = mkdtempSync(join(tmpdir(), 'svc-late-'))
  mkdirSync(join(root, 'models'))
  writeFileSync(join(root, 'svc.yaml'), 'name: late\n')
  const broken = join(root, 'models', 'broken.svc')
  writeFileSync(broken, 'name: broken\ningest: none\ntransform: SELECT nothing_like_this\n')
  const told: number[] = []
  const host = {
    now: () => new Date(),
    program: undefined,
    environmentVariables: [],
    onFailure() {},
    onLargeWork() {},
    functions: () => new Map(),
    progress: () => ({ report() {}, end() {} }),
    log: { info() {}, warn: expect.fail, error: expect.fail },
    onChanged() {},
    onDiagnostics(_project: LiveProject, changed: ReadonlyMap<string, readonly unknown[]>) {
      told.push(changed.get('models/broken.svc')?.length ?? -1)
      rmSync(broken, { force: true })
    },
  } as unknown as ProjectHost
  const project = new LiveProject({ root, host })
  await expect.poll(() => told, { timeout: 20_000 }).toEqual([1, 0])
  project.stop()
  rmSync(root, { recursive: true })
})
