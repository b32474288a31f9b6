/**
 * Which `svc` the editor runs: that of the extension, or by the setting `svc.useProjectSvc` the one that a project has of its
 * own. Where the two are different builds, it says so once.
 */
import { type ExtensionContext, type LogOutputChannel, Uri, window, workspace } from 'vscode'
import { languageId, settingNames } from './contributions.ts'
import { buildOf, isSameBuild, nameOf, ownSvc, type SvcBuild } from './own-svc.ts'
import type { Projects } from './projects/projects.ts'
import { setting } from './settings.ts'

export interface ChosenSvc {
  /** The launcher for a project, by its URI; without one for the first folder of the workspace. */
  of(root?: string): string
}

/** The workspace's state: what was said, so that it is said once. */
const toldKey = 'svc.toldBuilds'

/** Nothing of a workspace that nobody trusts is run. */
export function chooseSvc(bundled: string): ChosenSvc {
  return {
    of(root) {
      const uri = root === undefined ? workspace.workspaceFolders?.[0]?.uri : Uri.parse(root)
      const isOwn = uri !== undefined && workspace.isTrusted && usesOwn(uri)
      return isOwn ? (ownOf(uri)?.cli ?? bundled) : bundled
    },
  }
}

export function tellOtherBuilds(
  { context, projects, log }: { context: ExtensionContext; projects: Projects; log: LogOutputChannel },
  bundled: string,
): void {
  const ours = buildOf(bundled)
  const looked = new Set<string>()
  function look(): void {
    for (const { root, name } of projects.all) {
      if (ours === undefined || !workspace.isTrusted || looked.has(root)) continue
      looked.add(root)
      const uri = Uri.parse(root)
      const own = ownOf(uri)
      if (usesOwn(uri)) tellUsed(name, own, log)
      else if (own !== undefined && !isSameBuild(own, ours))
        void offer({ context, uri, name, own, ours, log })
    }
  }
  const again = (): void => {
    looked.clear()
    look()
  }
  context.subscriptions.push(
    projects.onDidChange(look),
    workspace.onDidGrantWorkspaceTrust(again),
    workspace.onDidChangeConfiguration(event => {
      if (event.affectsConfiguration(`${languageId}.${settingNames.useProjectSvc}`)) again()
    }),
  )
  look()
}

function ownOf(uri: Uri): SvcBuild | undefined {
  return ownSvc(uri.fsPath, process.env['PATH'] ?? '')
}

function usesOwn(uri: Uri): boolean {
  return setting(settingNames.useProjectSvc, uri, false)
}

function tellUsed(project: string, own: SvcBuild | undefined, log: LogOutputChannel): void {
  if (own !== undefined) {
    log.info(`${project}: ${nameOf(own)} of ${own.cli} is used`)
    return
  }
  const message = `${project} has no svc of its own, neither in node_modules nor on PATH: that of the extension is used, although svc.useProjectSvc is set`
  log.warn(message)
  void window.showWarningMessage(`SVC: ${message}.`)
}

interface Offer {
  readonly context: ExtensionContext
  readonly uri: Uri
  readonly name: string
  readonly own: SvcBuild
  readonly ours: SvcBuild
  readonly log: LogOutputChannel
}

/** What one build accepts and writes, the other may refuse. */
async function offer({ context, uri, name, own, ours, log }: Offer): Promise<void> {
  const said = `${name} has its own ${nameOf(own)} (${own.cli}), and the editor uses ${nameOf(ours)} of the extension`
  const told = context.workspaceState.get<readonly string[]>(toldKey, [])
  if (told.includes(said)) return
  await context.workspaceState.update(toldKey, [...told, said])
  log.warn(said)
  const use = "Use the Project's"
  const text = `SVC: ${said}. They may check, build and migrate differently.`
  if ((await window.showWarningMessage(text, use, "Keep the Extension's")) !== use) return
  await workspace.getConfiguration(languageId, uri).update(settingNames.useProjectSvc, true, undefined)
}
