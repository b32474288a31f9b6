/**
 * The lineage view: the dashboard in a panel of the editor, one per project. Runs that are started in it
 * continue in a terminal of the editor.
 */
import type { ProjectSummary } from '@svc/server/protocol'
import {
  type ExtensionContext,
  type LogOutputChannel,
  Range,
  Uri,
  ViewColumn,
  type WebviewPanel,
  window,
  workspace,
} from 'vscode'
import { invocationOf } from '../bundled-cli.ts'
import type { ChosenSvc } from '../chosen-svc.ts'
import type { Services } from '../commands/command.ts'
import { runVerb } from '../commands/run-verb.ts'
import { languageId, settingNames } from '../contributions.ts'
import type { Environments } from '../environments.ts'
import { setting, variablesOf } from '../settings.ts'
import { tellUntrusted } from '../terminals/terminals.ts'
import { type AnswersOptions, createAnswers } from './answers.ts'
import { createDashboardProcess } from './dashboard-process.ts'
import { lineagePage, type PageFiles, untrustedPage } from './page.ts'

export type Lineage = ReturnType<typeof createLineage>

export interface LineageOptions {
  readonly context: ExtensionContext
  /** That of the extension, whose page is shown. */
  readonly cli: string
  readonly svc: ChosenSvc
  readonly log: LogOutputChannel
  readonly environments: Environments
  /** A function, because the services contain this view and are created later. */
  readonly services: () => Services
}

const viewType = 'svc.lineage'

export function createLineage(options: LineageOptions) {
  const { context, environments, services } = options
  const views = new Map<string, LineageView>()

  function keep(root: string, panel: WebviewPanel): LineageView {
    const view = openView(root, panel, options)
    views.set(root, view)
    panel.onDidDispose(() => views.delete(root))
    return view
  }

  function renewAll(): void {
    for (const view of views.values()) view.renew()
  }

  context.subscriptions.push(
    // Restores open panels after a reload of the window.
    window.registerWebviewPanelSerializer(viewType, {
      async deserializeWebviewPanel(panel, state: { readonly root?: unknown } | undefined) {
        if (typeof state?.root === 'string' && !views.has(state.root)) keep(state.root, panel)
        else panel.dispose()
      },
    }),
    window.onDidChangeActiveTextEditor(editor => {
      const uri = editor?.document.uri
      const located = uri === undefined ? undefined : services().projects.assetOf(uri.toString())
      if (located !== undefined && setting(settingNames.lineageFollowsEditor, uri, true)) {
        views.get(located.project.root)?.reveal(located.asset.name)
      }
    }),
    environments.onDidChange(renewAll),
    workspace.onDidGrantWorkspaceTrust(renewAll),
    workspace.onDidChangeConfiguration(event => {
      if (event.affectsConfiguration(`${languageId}.${settingNames.useProjectSvc}`)) renewAll()
    }),
    {
      dispose() {
        for (const { panel } of views.values()) panel.dispose()
      },
    },
  )

  return {
    /** Opens the view, at `asset` if it is given. */
    show(project: ProjectSummary, asset?: string) {
      if (!workspace.isTrusted) {
        void tellUntrusted(
          'SVC: the lineage is shown in a workspace that you trust: it is read by a process.',
        )
        return
      }
      const known = views.get(project.root)
      known?.panel.reveal()
      const view = known ?? keep(project.root, createPanel(project))
      if (asset !== undefined) view.reveal(asset)
    },
  }
}

function createPanel({ name }: ProjectSummary): WebviewPanel {
  // Beside the source, which stays in sight and keeps the keyboard.
  const where = { viewColumn: ViewColumn.Beside, preserveFocus: true }
  return window.createWebviewPanel(viewType, `Lineage: ${name}`, where)
}

interface LineageView {
  readonly panel: WebviewPanel
  reveal(asset: string): void
  /** Starts page and server again, after a change of environment or trust. */
  renew(): void
}

function openView(
  root: string,
  panel: WebviewPanel,
  { context, cli, svc, log, services }: LineageOptions,
): LineageView {
  const files: PageFiles = {
    script: Uri.joinPath(context.extensionUri, 'dist', 'lineage.js'),
    // The page uses the same style and worker as in browsers.
    folder: Uri.joinPath(Uri.file(cli), '..', '..', 'dist', 'dashboard'),
  }
  const process = createDashboardProcess(
    () => uiInvocation(svc.of(root), root, services(), log),
    line => log.debug(line),
  )
  const answers = createAnswers({
    process,
    tell: message => void panel.webview.postMessage(message),
    orders: ordersOf(root, services),
  })
  const localResourceRoots = [Uri.joinPath(files.script, '..'), files.folder]
  panel.webview.options = { enableScripts: true, localResourceRoots }
  panel.iconPath = {
    light: Uri.joinPath(context.extensionUri, 'media', 'file-light.svg'),
    dark: Uri.joinPath(context.extensionUri, 'media', 'file-dark.svg'),
  }
  panel.webview.onDidReceiveMessage(answers.take)
  // A hidden panel loses its page; a new one is created when it becomes visible.
  panel.onDidChangeViewState(() => {
    if (!panel.visible) answers.drop()
  })
  panel.onDidDispose(() => {
    answers.drop()
    process.stop()
  })

  function draw(): void {
    panel.webview.html = workspace.isTrusted ? lineagePage(panel.webview, files, root) : untrustedPage()
  }
  draw()
  return {
    panel,
    reveal: answers.reveal,
    renew() {
      answers.drop()
      process.stop()
      draw()
    },
  }
}

function uiInvocation(cli: string, root: string, { environments }: Services, log: LogOutputChannel) {
  const uri = Uri.parse(root)
  const words = ['ui', '--no-open', '--with-input', '--port', '0', '--env', environments.of(root)]
  return invocationOf(cli, words, { cwd: uri.fsPath, env: variablesOf(uri, log) })
}

/** Returns the commands that a page may start. */
function ordersOf(root: string, services: () => Services): AnswersOptions['orders'] {
  const project = () => services().projects.all.find(each => each.root === root)
  async function inTerminal(words: readonly string[]): Promise<number | null> {
    const known = project()
    if (known === undefined) throw new Error('the project is not known (yet)')
    const begun = await runVerb(services(), { project: known, words, changes: true })
    return (await begun?.ended) ?? null
  }
  return {
    isAsset: name => project()?.assets.some(asset => asset.name === name) === true,
    run: selector => inTerminal(['run', selector]),
    rollback: names => inTerminal(['rollback', names.length === 0 ? '--all' : names.join(',')]),
    async open(path, line) {
      const uri = Uri.joinPath(Uri.parse(root), path)
      const at = Math.max(0, line - 1)
      await window.showTextDocument(uri, {
        viewColumn: ViewColumn.Beside,
        selection: new Range(at, 0, at, 0),
      })
    },
  }
}
