/** The page's script in a browser: served by `svc ui`, or part of the static site of `svc lineage`. */
import { effect } from '@preact/signals-core'
import { followSystemTheme } from './browser-theme.ts'
import { layoutSource } from './graph/layout/start-worker.ts'
import { browserHost } from './host/browser.ts'
import type { Host } from './host/host.ts'
import { staticHost } from './host/static.ts'
import { startDashboard } from './start.ts'

const { mode, project = '' } = document.documentElement.dataset

followSystemTheme(document.body)
// A page opened from disk may not fetch the script, but run one that holds its text, so that its layout is the same.
const worker = location.protocol === 'file:' ? layoutSource : 'elk-worker.min.js'
const store = startDashboard(hostOf(), document.body, worker)
effect(() => {
  const catalog = store.data.value?.catalog
  if (catalog !== undefined) document.title = `${catalog.project.name} (${catalog.environment}) – svc`
})

function hostOf(): Host {
  if (mode === 'static') return staticHost(document.getElementById('svc-data')?.textContent ?? '', project)
  return browserHost({ readOnly: mode === 'read-only', project })
}
