/** The script of the page, in a browser: served by `svc ui`, or lying somewhere as the static site of `svc lineage`. */
import { effect } from '@preact/signals-core'
import { followSystemTheme } from './browser-theme.ts'
import { browserHost } from './host/browser.ts'
import type { Host } from './host/host.ts'
import { startDashboard } from './start.ts'

const { mode, project = '' } = document.documentElement.dataset

followSystemTheme(document.body)
const store = startDashboard(hostOf(), document.body, 'elk-worker.min.js')
effect(() => {
  const catalog = store.data.value?.catalog
  if (catalog !== undefined) document.title = `${catalog.project.name} (${catalog.environment}) – svc`
})

function hostOf(): Host {
  return browserHost({ readOnly: mode === 'read-only', project })
}
