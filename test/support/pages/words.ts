/** The words and figures that each place tells of a state: of its last run, and of each asset. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { realWorld } from '../../../cli/commands/world.ts'
import { openProjectFiles } from '../../../cli/dashboard/project-files.ts'
import { readLog } from '../../../cli/engine/log/log-files.ts'
import { collectRun } from '../../../cli/engine/notify/problems.ts'
import { locateProject, stateNameNow } from '../../../cli/engine/workspace/locate-project.ts'
import { runDescription, runTooltip, runVerdict } from '../../../extension/views/run-words.ts'
import type {
  AttemptedRun,
  CatalogFile,
  HistoryFile,
  JsonOf,
  RunEvent,
} from '../../../server/contract/index.ts'
import { verdictWords } from '../../../server/contract/verdicts.ts'
import { lastRunsIn } from '../../../server/lsp/project/last-runs.ts'
import { stateOf } from '../../../server/lsp/project/summary.ts'
import { lookOfNode } from '../../../webview/graph/asset-state.ts'
import { detailOf, markOf } from '../../../webview/graph/lens.ts'
import { makeStore, reload } from '../../../webview/store/store.ts'
import { endingOf } from '../../../webview/views/past-runs.ts'
import { fakeHost } from '../../webview/app/fake-host.ts'
import type { Stage } from './stage.ts'

/** What one place says, by what it is said of: `verdict`, `seconds`, `cause of orders`, `state of orders`. */
export type Told = ReadonlyMap<string, string>

type Answer = (stage: Stage) => Promise<Told>

type LogList = Extract<JsonOf<'logs'>, { readonly logs: unknown }>

/** The first word of the sentence that ends a command; an error that ends it has none. */
const terminal: Answer = async ({ terminal: said }) => {
  if (said === undefined) return new Map()
  const all = `${said.stdout}\n${said.stderr}`
  const found =
    /^(Deployed in part|Deployed|Previewed|Published in part|Published|Rolled back|Nothing to do|Failed)( with \d+ warnings?)?\b/m.exec(
      all,
    )
  const stopped = /^error: run \w+ was stopped/m.test(all) ? 'Stopped' : undefined
  const verdict = found?.[0] ?? stopped
  return new Map(verdict === undefined ? [] : [['verdict', verdict]])
}

const logText: Answer = async stage => {
  const { stdout } = await stage.quiet('logs', '--list')
  const row = stdout.split('\n').find(line => line.startsWith(stage.runId)) ?? ''
  return new Map([['verdict', row.split(/\s{2,}/)[4] ?? '']])
}

async function entryOf(stage: Stage): Promise<LogList['logs'][number]> {
  const { logs } = JSON.parse((await stage.quiet('logs', '--list', '--json')).stdout) as LogList
  const found = logs.find(({ run_id }) => run_id === stage.runId)
  if (found === undefined) throw new Error(`no log of ${stage.runId}`)
  return found
}

const logJson: Answer = async stage => {
  const { verdict, warned, causes, seconds } = await entryOf(stage)
  return new Map([
    ['verdict', verdictWords(verdict, warned)],
    ...causesIn(causes),
    ...(seconds === null ? [] : [secondsOf(seconds)]),
  ])
}

const editorRun: Answer = async stage => {
  const entry = await entryOf(stage)
  const told = runTooltip(entry)
  const causes = entry.causes.filter(({ message }) => told.includes(message))
  const [, described] = /^(.*?) · /.exec(runDescription(entry, new Date())) ?? []
  return new Map([['verdict', described ?? runVerdict(entry)], ...causesIn(causes)])
}

/** The last line of the log, which is the event that programs get. */
const event: Answer = async stage => {
  const end = eventsOf(stage).findLast(each => each.type === 'run-finished')
  if (end?.verdict === undefined) return new Map()
  return new Map([['verdict', verdictWords(end.verdict, end.warnings ?? 0)], ...causesIn(end.causes ?? [])])
}

const historyFile: Answer = async ({ root, runId }) => {
  const { runs } = JSON.parse(readFileSync(join(root, '.svc/dev/history.json'), 'utf8')) as HistoryFile
  const run = runs.find(({ run_id }) => run_id === runId)
  if (run?.verdict === undefined || run.status === 'running') return new Map()
  return new Map([['verdict', verdictWords(run.verdict, run.warnings?.length ?? 0)]])
}

function eventsOf({ root, runId }: Stage): RunEvent[] {
  return (readLog(root, runId) ?? '')
    .split('\n')
    .filter(line => line.endsWith('}'))
    .map(line => JSON.parse(line) as RunEvent)
}

function causesIn(causes: AttemptedRun['causes']): [string, string][] {
  return causes.map(({ asset, message }) => [`cause of ${asset ?? 'the run'}`, message])
}

/** To the tenth, as it is shown. */
function secondsOf(seconds: number): [string, string] {
  return ['seconds', seconds.toFixed(1)]
}

const page: Answer = async stage => {
  const files = pageFiles(stage)
  try {
    const [catalog, quality, history] = [await files.catalog(), await files.quality(), await files.history()]
    const glossary = await files.glossary()
    const store = makeStore(fakeHost({ catalog, quality, history, glossary, changed: [] }), Date.now())
    await reload(store)
    const run = history.runs.find(({ run_id }) => run_id === stage.runId)
    return new Map([...(run === undefined ? [] : ofRun(run)), ...ofNodes(store)])
  } finally {
    files.close()
  }
}

function ofRun(run: AttemptedRun): [string, string][] {
  const [, words] = endingOf(run)
  const took =
    run.finished_at === null
      ? []
      : [secondsOf((Date.parse(run.finished_at) - Date.parse(run.started_at)) / 1000)]
  return [['verdict', words.replace(/^\S /, '')], ...causesIn(run.causes), ...took]
}

/** The word of the list and of the table, that of the card's mark, and that of its second line, which are one. */
function ofNodes(store: ReturnType<typeof makeStore>): [string, string][] {
  return (store.model.value?.nodes ?? []).flatMap(node => {
    if (node.asset === undefined) return []
    const { word } = lookOfNode(node)
    const detail = detailOf(node, node.status)
    const isOnCard = markOf(node)?.word === word && (word === 'Deployed' || detail.endsWith(` · ${word}`))
    return [
      [`state of ${node.name}`, isOnCard ? word : `${word}, and on the card ${detail}`] as [string, string],
    ]
  })
}

function pageFiles(stage: Stage) {
  const world = { ...realWorld('tests', undefined, true), cwd: stage.root, env: {} }
  const found = locateProject(world, 'dev')
  return openProjectFiles({
    root: stage.root,
    environment: 'dev',
    stateName: () => stateNameNow(found),
    models: found.models,
    engine: found.engine,
    outline: () => Promise.reject(new Error('there is no catalogue')),
    renew: () => stage.renew(),
  })
}

const statusText: Answer = async stage => {
  const { stdout } = await stage.quiet('status')
  const rows = stdout.split('\n\n')[0]?.split('\n').slice(1) ?? []
  return new Map(
    rows.flatMap(row => {
      const [name, , , state] = row.split(/\s{2,}/)
      return name === undefined || state === undefined ? [] : [[`state of ${name}`, state]]
    }),
  )
}

/** The tree of the editor reads the catalogue at the root. */
const tree: Answer = async stage => {
  await stage.renew()
  const catalog = JSON.parse(readFileSync(join(stage.root, 'svc_catalog.json'), 'utf8')) as CatalogFile
  const runs = lastRunsIn(catalog)
  return new Map(
    catalog.assets.map(({ name }) => [`state of ${name}`, stateOf(0, runs.get(name), Date.now()).word]),
  )
}

/** What people are told of a run: which assets failed, and which are held back where the rest was promoted. */
const notices: Answer = async stage => {
  const events = eventsOf(stage)
  const end = events.findLast(each => each.type === 'run-finished')
  if (end?.kind !== 'run' || end.verdict === 'Stopped' || end.verdict === 'Killed') return new Map()
  const heard = collectRun(() => [])
  for (const each of events) heard.hear(each)
  const told = new Map<string, string>()
  for (const { event, asset } of heard.found()?.problems ?? []) {
    if (asset === null || event === 'drifted' || event === 'stale') continue
    told.set(`state of ${asset}`, event === 'failed' ? 'Failed' : 'Held back')
  }
  return told
}

export const answers: Readonly<Record<string, Answer>> = {
  'the terminal': terminal,
  'svc logs --list': logText,
  'svc logs --list --json': logJson,
  'the last event': event,
  'history.json': historyFile,
  'the page': page,
  'svc status': statusText,
  'the runs of the editor': editorRun,
  'the tree of the editor': tree,
  'the notifications': notices,
}
