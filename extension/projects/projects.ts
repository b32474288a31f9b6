/**
 * The projects of the workspace as the language server last told them. Trees, pickers and the status bar read this;
 * nothing here looks into a file.
 */
import type { AssetSummary, ProjectSummary, ProjectsResult } from '@svc/server/protocol'
import { projectsChanged, projectsRequest } from '@svc/server/protocol'
import { commands, EventEmitter, type ExtensionContext, type LogOutputChannel } from 'vscode'
import type { Server } from '../client.ts'
import { contextKeys } from '../contributions.ts'

export interface Projects {
  readonly all: readonly ProjectSummary[]
  /** After the server's first answer; also when it has none, so that nobody waits for ever. */
  readonly loaded: Promise<void>
  readonly onDidChange: EventEmitter<void>['event']
  /** Undefined: the server knows no asset of that file (yet). */
  assetOf(uri: string): { readonly project: ProjectSummary; readonly asset: AssetSummary } | undefined
  /** The innermost project whose folder holds the file. */
  projectOf(uri: string): ProjectSummary | undefined
}

export function followProjects(context: ExtensionContext, server: Server, log: LogOutputChannel): Projects {
  const changes = new EventEmitter<void>()
  let all: ProjectsResult = []

  async function refresh(): Promise<void> {
    try {
      all = await server.request<ProjectsResult>(projectsRequest)
    } catch (error) {
      // A server that is being restarted or gives up tells it itself; the last known projects stay.
      log.debug(`${projectsRequest}: ${String(error)}`)
      return
    }
    await commands.executeCommand('setContext', contextKeys.hasProject, all.length > 0)
    changes.fire()
  }

  server.onNotification(projectsChanged, () => void refresh())
  server.onDidChangeState(state => {
    if (state === 'running') void refresh()
  })
  context.subscriptions.push(changes)
  return {
    get all() {
      return all
    },
    loaded: refresh(),
    onDidChange: changes.event,
    assetOf: uri => assetOf(all, uri),
    projectOf: uri => projectOf(all, uri),
  }
}

function assetOf(all: ProjectsResult, uri: string) {
  for (const project of all) {
    const asset = project.assets.find(each => sameUri(each.uri, uri))
    if (asset !== undefined) return { project, asset }
  }
  return undefined
}

function projectOf(all: ProjectsResult, uri: string): ProjectSummary | undefined {
  return all
    .filter(({ root }) => sameUri(uri, root) || normal(uri).startsWith(`${normal(root)}/`))
    .sort((a, b) => b.root.length - a.root.length)[0]
}

/** Client and server may write one address in two ways (`c%3A` and `C:`, a slash at the end). */
export function sameUri(a: string, b: string): boolean {
  return normal(a) === normal(b)
}

function normal(uri: string): string {
  const text = decoded(uri).replace(/\/$/, '')
  return text.replace(/^file:\/\/\/([A-Za-z]):/, (_, drive: string) => `file:///${drive.toLowerCase()}:`)
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri)
  } catch {
    return uri
  }
}
