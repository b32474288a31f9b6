/** The packed extension in a fresh profile of a real editor: no setting, no cache, no run before, and spaces in each path. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type EditorWindow, openWindow } from '../../vscode/support/window.ts'

const profile = 'a profile'
const otherMachine = "DuckDB's native part cannot be loaded on this machine"
const patience = { timeout: 90_000 }

export function openFreshEditor(): Promise<EditorWindow> {
  return openWindow({ project: 'test/fixtures/shop', name: 'a fresh shop', profile })
}

/** What the console says against the extension, but for what a step asks for. */
export function unexpectedErrors({ errors }: EditorWindow): readonly string[] {
  return errors.filter(each => !each.includes(otherMachine))
}

export interface EditorStep {
  readonly name: string
  /** Rejects with what is wrong. */
  readonly run: (editor: EditorWindow) => Promise<void>
}

export const editorSteps: readonly EditorStep[] = [
  {
    name: 'a mistake is seen, also in a file that is closed, and goes with its cause',
    async run(editor) {
      await editor.openFile('models/orders.svc')
      const problems = editor.page.locator('.markers-panel')
      await editor.pressUntil('Control+Shift+M', () => problems.isVisible())
      editor.change('models/daily_revenue.svc', 'sum(amount)', 'sum(amoun)')
      await problems.locator('.monaco-list-row', { hasText: 'daily_revenue.svc' }).waitFor(patience)
      editor.change('models/daily_revenue.svc', 'sum(amoun)', 'sum(amount)')
      await problems.filter({ hasText: 'No problems have been detected' }).waitFor(patience)
    },
  },
  {
    name: 'svc can be typed in a terminal, and is of the same build',
    async run(editor) {
      await editor.command('Terminal: Create New Terminal')
      await editor.page.locator('.terminal-wrapper.active .xterm-rows').waitFor(patience)
      await expect.poll(() => editor.terminalText(), patience).toMatch(/[$#%>]/)
      await editor.page.keyboard.type('svc --version\n')
      const build = readFileSync(join(import.meta.dirname, '../../../cli/dist/build-id'), 'utf8')
      await expect.poll(() => editor.terminalText(), patience).toContain(`(${build})`)
    },
  },
  {
    name: 'a run is deployed',
    async run(editor) {
      await editor.command('SVC: Run All Assets')
      await expect.poll(() => editor.terminalText(), patience).toMatch(/^Deployed run /m)
    },
  },
  {
    name: 'the tree knows of it',
    async run(editor) {
      await editor.showView('SVC')
      const row = editor.row('daily_revenue')
      await row.and(editor.page.locator('[aria-label$=", Deployed"]')).waitFor(patience)
    },
  },
  {
    name: 'the lineage is drawn',
    async run(editor) {
      await editor.openFile('models/daily_revenue.svc')
      await editor.command('SVC: Show Lineage')
      await editor.grid().locator('canvas').first().waitFor(patience)
    },
  },
  {
    name: 'a native part of another machine is one sentence',
    async run(editor) {
      const extensions = join(editor.project, '..', '..', profile, 'extensions')
      const paths = readdirSync(extensions, { recursive: true, encoding: 'utf8' })
      for (const path of paths.filter(each => each.endsWith('duckdb.node'))) {
        // Programs that have the old one open keep it.
        rmSync(join(extensions, path))
        writeFileSync(join(extensions, path), 'of another machine')
      }
      // A file that was checked before would need no DuckDB.
      const later = 'name: later\ningest: none\ntransform: SELECT 1 AS id\n'
      writeFileSync(join(editor.project, 'models', 'later.svc'), later)
      await editor.command('SVC: Restart Language Server')
      await editor.notification(otherMachine).waitFor(patience)
    },
  },
]
