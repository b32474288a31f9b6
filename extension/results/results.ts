/** The results grid: one panel per query or asset, filled by `svc sample --json`. */

import {
  CancellationTokenSource,
  type ExtensionContext,
  env,
  Uri,
  ViewColumn,
  window,
  workspace,
} from 'vscode'
import { type Background, Cancelled, SvcRefusal } from '../background.ts'
import { messageOf } from '../first-error.ts'
import { openPlace } from '../terminals/tell-failure.ts'
import { gridPage } from './page.ts'
import type { FromGrid, GridRows, GridState, ToGrid } from './protocol.ts'
import { toCsv, toJson } from './table-text.ts'

/** A request of the grid: its title, and the command that reads its rows. */
export interface Look {
  /** Two requests with the same key share a panel. */
  readonly key: string
  readonly title: string
  /** The URI of the project. */
  readonly root: string
  readonly limit: number
  /**
   * Returns the arguments of `svc`, without limit and format; called at each refresh, because the text
   * changes.
   */
  command(): { readonly words: readonly string[]; readonly input?: string }
}

export type Results = ReturnType<typeof createResults>

interface SampleAnswer extends GridRows {
  readonly environment: string
  readonly source: string
}

export function createResults(context: ExtensionContext, background: Background) {
  const open = new Map<string, Grid>()
  return {
    async show(look: Look) {
      const grid = open.get(look.key) ?? openGrid(context, background, look)
      if (!open.has(look.key)) {
        open.set(look.key, grid)
        grid.panel.onDidDispose(() => open.delete(look.key))
      }
      grid.panel.reveal(undefined, true)
      await grid.read(look, look.limit)
    },
  }
}

type Grid = ReturnType<typeof openGrid>

function openGrid(context: ExtensionContext, background: Background, first: Look) {
  const panel = window.createWebviewPanel(
    'svc.results',
    first.title,
    { viewColumn: ViewColumn.Beside, preserveFocus: true },
    {
      enableScripts: true,
      localResourceRoots: ['dist', 'media'].map(name => Uri.joinPath(context.extensionUri, name)),
    },
  )
  panel.iconPath = {
    light: Uri.joinPath(context.extensionUri, 'media', 'file-light.svg'),
    dark: Uri.joinPath(context.extensionUri, 'media', 'file-dark.svg'),
  }
  let look = first
  let state: GridState = { kind: 'loading', title: first.title }
  let reading: CancellationTokenSource | undefined

  function send(next: GridState): void {
    state = next
    const message: ToGrid = { type: 'state', state }
    void panel.webview.postMessage(message)
  }

  async function read(next: Look, limit: number): Promise<void> {
    look = next
    reading?.cancel()
    const source = new CancellationTokenSource()
    reading = source
    const before = state
    send({ kind: 'loading', title: look.title })
    const result = await readLook(background, look, limit, source)
    if (reading !== source) return
    send(result ?? (before.kind === 'loading' ? refused(look, 'cancelled') : before))
  }

  panel.webview.onDidReceiveMessage((message: FromGrid) => {
    if (message.type === 'ready') send(state)
    if (message.type === 'refresh') void read(look, message.limit)
    if (message.type === 'cancel') reading?.cancel()
    if (message.type === 'open') void openPlace(look.root, message.place)
    if (message.type === 'copy') void env.clipboard.writeText(message.text)
    if (message.type === 'export') void save(message.table, message.format, look)
  })
  panel.onDidDispose(() => reading?.cancel())
  panel.webview.html = gridPage(panel.webview, context.extensionUri)
  return { panel, read }
}

/** Returns undefined if it was cancelled. */
async function readLook(
  background: Background,
  look: Look,
  limit: number,
  { token }: CancellationTokenSource,
): Promise<GridState | undefined> {
  const startedMs = performance.now()
  try {
    const { words, input } = look.command()
    const answer = (await background.json(look.root, [...words, '--limit', String(limit)], {
      token,
      ...(input !== undefined && { input }),
    })) as SampleAnswer
    const { columns, rows, environment, source } = answer
    const seconds = (performance.now() - startedMs) / 1000
    return {
      kind: 'rows',
      title: look.title,
      subtitle: `${source} in ${environment}`,
      limit,
      seconds,
      table: { columns, rows },
    }
  } catch (error) {
    if (error instanceof Cancelled) return undefined
    // Whatever it is: the grid must not say that it loads for ever.
    return refused(look, messageOf(error), error instanceof SvcRefusal ? error : {})
  }
}

function refused(look: Look, message: string, { hint, place }: Partial<SvcRefusal> = {}): GridState {
  return {
    kind: 'refused',
    title: look.title,
    message,
    ...(hint !== undefined && { hint }),
    ...(place !== undefined && { place }),
  }
}

async function save(table: GridRows, format: 'csv' | 'json', look: Look): Promise<void> {
  const name = `${look.title.replace(/[^\w.-]+/g, '_')}.${format}`
  const target = await window.showSaveDialog({
    defaultUri: Uri.joinPath(Uri.parse(look.root), name),
    filters: format === 'csv' ? { CSV: ['csv'] } : { JSON: ['json'] },
  })
  if (target === undefined) return
  const text = format === 'csv' ? toCsv(table) : toJson(table)
  await workspace.fs.writeFile(target, Buffer.from(text, 'utf8'))
}
