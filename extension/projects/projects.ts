/**
 * The projects of the workspace, as the language server last reported them. Trees, pickers and the status bar
 * read this; nothing here reads a file. Without an answer of the server, a project is a folder with
 * `svc.yaml`, so that `svc doctor` can still run.
 */
import type { AssetSummary, ProjectSummary, ProjectsResult } from '@svc/server/protocol'
import { projectsChanged, projectsRequest } from '@svc/server/protocol'
import {
  commands,
  type Disposable,
  EventEmitter,
  type ExtensionContext,
  type LogOutputChannel,
  Uri,
  workspace,
} from 'vscode'
import type { Server } from '../client.ts'
import { contextKeys } from '../contributions.ts'
import { isWithin, sameUri } from './uris.ts'

export interface Projects {
  readonly all: readonly ProjectSummary[]
  /** Resolves after the server's first answer, or when there is none, so that callers never wait forever. */
  readonly loaded: Promise<void>
  readonly onDidChange: EventEmitter<void>['event']
  /** Returns undefined if the server knows no asset of that file (yet). */
  assetOf(uri: string): { readonly project: ProjectSummary; readonly asset: AssetSummary } | undefined
  /**
   * Like `assetOf`, but waits until the server has reported assets of the project, for clicks right after the
   * start.
   */
  findAsset(uri: string): Promise<ReturnType<Projects['assetOf']>>
  /** Returns the innermost project whose folder contains the file. */
  projectOf(uri: string): ProjectSummary | undefined
}

export function followProjects(context: ExtensionContext, server: Server, log: LogOutputChannel): Projects {
  const changes = new EventEmitter<void>()
  let all: ProjectsResult = []
  let asked = 0
  let newest = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  async function set(projects: ProjectsResult): Promise<void> {
    all = projects
    clearTimeout(timer)
    const isEmpty = all.every(({ assets }) => assets.length === 0)
    // The first answer comes before the files are read, so "no assets" is reported only after a delay.
    timer = isEmpty ? setTimeout(() => void setContext(contextKeys.isEmpty, true), emptyAfterMs) : undefined
    if (!isEmpty) await setContext(contextKeys.isEmpty, false)
    await setContext(contextKeys.hasProject, all.length > 0)
    // The walkthrough ticks what a project that was opened has behind it.
    await setContext(contextKeys.hasAssets, !isEmpty)
    const hasRun = all.some(({ assets }) => assets.some(({ lastRun }) => lastRun !== undefined))
    await setContext(contextKeys.hasRun, hasRun)
    changes.fire()
  }

  function refresh(): Promise<void> {
    newest = ask(++asked)
    return newest
  }

  async function ask(mine: number): Promise<void> {
    try {
      const projects = await server.request<ProjectsResult>(projectsRequest)
      // Callers that wait for an outdated answer get the newer one.
      await (mine === asked ? set(projects) : newest)
    } catch (error) {
      // The client reports the failure of its server; here known projects are kept.
      log.warn(`${projectsRequest}: ${String(error)}`)
      if (all.length === 0) await set(await projectFolders())
    }
  }

  server.onNotification(projectsChanged, () => void refresh())
  server.onDidChangeState(state => {
    if (state === 'running') void refresh()
  })
  context.subscriptions.push(changes, { dispose: () => clearTimeout(timer) })
  const loaded = refresh()
  return {
    get all() {
      return all
    },
    loaded,
    onDidChange: changes.event,
    assetOf: uri => assetOf(all, uri),
    async findAsset(uri) {
      await loaded
      const hasAssets = () => (projectOf(all, uri)?.assets.length ?? 0) > 0
      if (!hasAssets()) await nextTime(changes.event, hasAssets, assetsWithinMs)
      return assetOf(all, uri)
    },
    projectOf: uri => projectOf(all, uri),
  }
}

/**
 * Calls `changed` when the picked value has changed. The server reports possible changes at every pause of
 * typing, and redrawing an unchanged tree could lose clicks.
 */
export function onDifferent(
  projects: Projects,
  pick: (all: readonly ProjectSummary[]) => unknown,
  changed: () => void,
): Disposable {
  let known = JSON.stringify(pick(projects.all))
  return projects.onDidChange(() => {
    const now = JSON.stringify(pick(projects.all))
    if (now === known) return
    known = now
    changed()
  })
}

/** Waits until a condition holds, at most for that time. */
function nextTime(event: EventEmitter<void>['event'], isSo: () => boolean, limitMs: number): Promise<void> {
  return new Promise(resolve => {
    const end = () => {
      clearTimeout(timer)
      listening.dispose()
      resolve()
    }
    const timer = setTimeout(end, limitMs)
    const listening = event(() => {
      if (isSo()) end()
    })
  })
}

const emptyAfterMs = 3000
const assetsWithinMs = 10_000
const mostProjects = 50

async function setContext(key: string, value: boolean): Promise<void> {
  await commands.executeCommand('setContext', key, value)
}

async function projectFolders(): Promise<ProjectsResult> {
  const files = await workspace.findFiles('**/svc.yaml', '**/{node_modules,.git,.svc}/**', mostProjects)
  return files.map(file => {
    const folder = Uri.joinPath(file, '..')
    return {
      root: folder.toString(),
      name: folder.path.split('/').at(-1) ?? '',
      environments: ['dev', 'prod'],
      assets: [],
      glossary: [],
      problems: { errors: 0, warnings: 0 },
    }
  })
}

function assetOf(all: ProjectsResult, uri: string): ReturnType<Projects['assetOf']> {
  for (const project of all) {
    const asset = project.assets.find(each => sameUri(each.uri, uri))
    if (asset !== undefined) return { project, asset }
  }
  return undefined
}

function projectOf(all: ProjectsResult, uri: string): ProjectSummary | undefined {
  return all.filter(({ root }) => isWithin(uri, root)).sort((a, b) => b.root.length - a.root.length)[0]
}
