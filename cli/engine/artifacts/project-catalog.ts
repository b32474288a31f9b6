/** The catalogue of a project in which nothing ran, made from its files without the warehouse. */
import type { CatalogFile } from '@svc/server/contract'
import { redact } from '@svc/server/language'
import type { OpenedWorkspace } from '../workspace/open-workspace.ts'
import { secretsOf } from '../workspace/secrets.ts'
import { makeCatalog } from './catalog.ts'
import { makeOutline } from './manifest.ts'
import { toCleanJson } from './write-file.ts'

/** Returns the catalogue as a run would write it, without secrets. */
export async function projectCatalog(workspace: OpenedWorkspace): Promise<CatalogFile> {
  const analysis = await workspace.analysis()
  const { project, environment, excludedColumns: excluded } = workspace
  const at = workspace.world.now().toISOString()
  const manifest = makeOutline({ project, analysis, environment, at })
  const about = { project, analysis, environment, manifest, excluded }
  const catalog = makeCatalog({ ...about, state: undefined, testResults: {} })
  const secrets = secretsOf(workspace)
  return JSON.parse(toCleanJson(catalog, text => redact(text, secrets))) as CatalogFile
}
