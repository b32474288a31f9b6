/** Brings attempts to publish into `history.json` of an environment, beside its runs. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { redact } from '@svc/server/language'
import { selectorOf } from '../publish/publish-events.ts'
import type { HistoryRecord, PublishRecord } from '../state/state.ts'
import type { OpenedWorkspace } from '../workspace/open-workspace.ts'
import { secretsOf } from '../workspace/secrets.ts'
import { historyText, makeHistory, parseHistory } from './history.ts'
import { writeWhole } from './write-file.ts'
import { historyFile } from './write-history.ts'

/** Those of many schedulers between two looks; more are in the tables. */
const mostPublishes = 50

/** Throws SvcError `file-failed`. */
export async function writePublishes(workspace: OpenedWorkspace): Promise<void> {
  const warehouse = await workspace.warehouse()
  const environment = workspace.environment.stateName
  const session = await warehouse.open('read')
  if (session === undefined) return
  const publishes = await session.state
    .publishes({ environment }, mostPublishes)
    .finally(() => session.close())
  const path = join(await workspace.stateFolder(), historyFile)
  const secrets = secretsOf(workspace)
  const clean = (text: string) => redact(text, secrets)
  const made = makeHistory(parseHistory(textOf(path)), publishes.map(historyRecord), environment, clean)
  writeWhole(path, historyText(made), workspace.world.pid)
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
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
