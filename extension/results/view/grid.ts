/** The page of the results grid: shows the state that the extension sends, and reports what the user does. */
import type { ExportFormat, FromGrid, GridState, ToGrid } from '../protocol.ts'
import { element, make } from './element.ts'
import { createTable } from './table.ts'

declare function acquireVsCodeApi(): {
  postMessage(message: FromGrid): void
  setState(state: GridState): void
  getState(): GridState | undefined
}

const api = acquireVsCodeApi()
const page = {
  title: element('title'),
  subtitle: element('subtitle'),
  limit: element('limit', HTMLInputElement),
  filter: element('filter', HTMLInputElement),
  refresh: element('refresh', HTMLButtonElement),
  cancel: element('cancel', HTMLButtonElement),
  status: element('status'),
  refusal: element('refusal'),
  progress: element('progress'),
}
const table = createTable({
  copy: text => api.postMessage({ type: 'copy', text }),
  shown: (shown, all) => tellCount(shown, all),
})
let state: GridState | undefined

function show(next: GridState): void {
  state = next
  api.setState(next)
  const isLoading = next.kind === 'loading'
  page.title.textContent = next.title
  page.progress.hidden = !isLoading
  page.cancel.hidden = !isLoading
  page.refresh.hidden = isLoading
  page.refusal.replaceChildren(...(next.kind === 'refused' ? refusalOf(next) : []))
  document.body.classList.toggle('loading', isLoading)
  if (isLoading) {
    page.status.textContent = 'Reading…'
    return
  }
  page.subtitle.textContent = next.kind === 'rows' ? next.subtitle : ''
  if (next.kind === 'rows') page.limit.value = String(next.limit)
  table.show(next.kind === 'rows' ? next.table : { columns: [], rows: [] })
  if (next.kind === 'refused') page.status.textContent = ''
}

function tellCount(shown: number, all: number): void {
  if (state?.kind !== 'rows') return
  const { limit, seconds } = state
  const filtered = shown === all ? '' : `${shown.toLocaleString('en')} of `
  const more = all >= limit ? ' (the limit: there may be more)' : ''
  const rows = `${filtered}${all.toLocaleString('en')} row${all === 1 ? '' : 's'}${more}`
  page.status.textContent = `${rows} in ${seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(1)} s`}`
}

function refusalOf({ message, hint, place }: Extract<GridState, { kind: 'refused' }>): HTMLElement[] {
  const lines = [message, hint].filter(text => text !== undefined)
  const paragraphs = lines.map(text => make('p', { textContent: text }))
  if (place === undefined) return paragraphs
  const button = make('button', { textContent: `Open ${place}`, type: 'button' })
  button.addEventListener('click', () => api.postMessage({ type: 'open', place }))
  return [...paragraphs, button]
}

function refresh(): void {
  const limit = Math.max(1, Math.floor(Number(page.limit.value)) || 1)
  api.postMessage({ type: 'refresh', limit })
}

function listenToExports(): void {
  for (const format of ['csv', 'json'] as const satisfies readonly ExportFormat[]) {
    element(`export-${format}`).addEventListener('click', () => {
      api.postMessage({ type: 'export', format, table: table.visible() })
    })
  }
  for (const format of ['csv', 'json', 'markdown'] as const) {
    element(`copy-${format}`).addEventListener('click', () => {
      api.postMessage({ type: 'copy', text: table.text(format) })
    })
  }
}

page.refresh.addEventListener('click', refresh)
page.limit.addEventListener('keydown', event => {
  if (event.key === 'Enter') refresh()
})
page.cancel.addEventListener('click', () => api.postMessage({ type: 'cancel' }))
page.filter.addEventListener('input', () => table.filter(page.filter.value))
listenToExports()
window.addEventListener('message', ({ data }: MessageEvent<ToGrid>) => {
  if (data.type === 'state') show(data.state)
})
const kept = api.getState()
if (kept !== undefined) show(kept)
api.postMessage({ type: 'ready' })
