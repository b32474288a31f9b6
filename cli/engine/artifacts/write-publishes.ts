/** Brings attempts to publish into `history.json` of an environment, beside its runs, and into its catalogue. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CatalogFile } from '@svc/server/contract'
import { redact } from '@svc/server/language'
import { selectorOf } from '../publish/publish-events.ts'
import { publishVerdict } from '../publish/publish-verdict.ts'
import { recordVerdict } from '../run/run-verdict.ts'
import type { HistoryRecord, PublishRecord } from '../state/state.ts'
import type { StateReader } from '../state/state-store.ts'
import type { OpenedWorkspace } from '../workspace/open-workspace.ts'
import { secretsOf } from '../workspace/secrets.ts'
import { historyText, makeHistory, parseHistory } from './history.ts'
import { mostTargets, publishesOf } from './publishes.ts'
import { copyWhole, toCleanJson, writeWhole } from './write-file.ts'
import { historyFile } from './write-history.ts'

/** Those of many schedulers between two looks; more are in the tables. */
const mostPublishes = 50

/** Throws SvcError `file-failed`. */
export async function writePublishes(workspace: OpenedWorkspace): Promise<void> {
  const last = await writePublishHistory(workspace)
  if (last !== undefined) await renewCatalog(workspace, last, cleanerOf(workspace))
}

/** Returns the last attempts; undefined without a warehouse. Throws SvcError `file-failed`. */
export async function writePublishHistory(
  workspace: OpenedWorkspace,
): Promise<readonly PublishRecord[] | undefined> {
  const warehouse = await workspace.warehouse()
  const environment = workspace.environment.stateName
  const session = await warehouse.open('read')
  if (session === undefined) return undefined
  const { publishes, last } = await readAttempts(session.state, environment).finally(() => session.close())
  const path = join(await workspace.stateFolder(), historyFile)
  const before = parseHistory(textOf(path))
  const verdicts = new Map(publishes.map(each => [each.run_id, publishVerdict(each)]))
  const known = (record: HistoryRecord) => verdicts.get(record.run_id) ?? recordVerdict(record)
  const made = makeHistory(before, publishes.map(historyRecord), environment, cleanerOf(workspace), known)
  writeWhole(path, historyText(made), workspace.world.pid)
  return last
}

async function readAttempts({ publishes }: StateReader, environment: string) {
  return {
    publishes: await publishes({ environment }, mostPublishes),
    last: await publishes({ environment, isLast: true }, mostTargets),
  }
}

function cleanerOf(workspace: OpenedWorkspace): (text: string) => string {
  const secrets = secretsOf(workspace)
  return text => redact(text, secrets)
}

/** A catalogue comes with the first run; what else it says has not changed. */
async function renewCatalog(
  workspace: OpenedWorkspace,
  publishes: readonly PublishRecord[],
  clean: (text: string) => string,
): Promise<void> {
  const path = join(await workspace.stateFolder(), 'svc_catalog.json')
  const text = textOf(path)
  if (text === '') return
  const catalog = JSON.parse(text) as CatalogFile
  const next = { ...catalog, publishes: publishesOf(workspace.project, publishes) }
  const { pid } = workspace.world
  writeWhole(path, toCleanJson(next, clean), pid)
  copyWhole(path, join(workspace.root, 'svc_catalog.json'), pid)
}

/** It built nothing, so it has no assets: what it sent is in the state tables and in its log. */
function historyRecord(publish: PublishRecord): HistoryRecord {
  const { run_id, environment, started_at, finished_at, error, trigger, git_commit, status } = publish
  return {
    ...{ run_id, environment, started_at, finished_at, error, trigger, git_commit },
    kind: 'publish',
    selector: selectorOf(publish),
    status: status === 'published' ? 'deployed' : status,
    generation: null,
    from_generation: 0,
    assets: [],
    refused: false,
    warnings: publish.warnings ?? [],
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
