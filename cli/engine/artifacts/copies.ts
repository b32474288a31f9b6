/**
 * The files in `.svc` and the catalogue at the root are copies of those of the environment that ran last. When that one is dropped,
 * they become copies of another, so that no editor goes on telling what is live where nothing is any more.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { CatalogFile } from '@svc/server/contract'
import type { Workspace } from '../workspace/workspace.ts'
import { readJson } from './read-file.ts'
import { copyWhole, removeQuietly } from './write-file.ts'

const catalogFile = 'svc_catalog.json'
/** What the project's files say, which is true without a run. */
const ofFiles = ['manifest.json', 'lineage.json', 'schemas.json', 'tests.json'] as const
const ofRuns = ['test_results.json', catalogFile] as const

/** `dropped`: the names of environments in the state tables, whose folders are still there. Throws SvcError `file-failed`. */
export async function replaceCopies(workspace: Workspace, dropped: readonly string[]): Promise<void> {
  const { root, world } = workspace
  const made = madeAt(root)
  const isCopy = (name: string) => madeAt(join(root, '.svc', name)) === made
  if (made === undefined || !dropped.some(isCopy)) return
  const own = await workspace.stateFolder()
  for (const name of [...ofFiles, ...ofRuns]) {
    const [from, to] = [join(own, name), join(name === catalogFile ? root : join(root, '.svc'), name)]
    if (existsSync(from)) copyWhole(from, to, world.pid)
    else if (!ofFiles.some(each => each === name)) removeQuietly(to)
  }
}

function madeAt(folder: string): string | undefined {
  return readJson<CatalogFile>(join(folder, catalogFile))?.generated_at
}
