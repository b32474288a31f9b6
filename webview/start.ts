/** Starts the dashboard on a page with a host. The entry point of each host calls it once. */
import { effect } from '@preact/signals-core'
import type { Host } from './host/host.ts'
import { registerKit } from './kit.ts'
import { watchRun } from './store/runs.ts'
import { makeStore, reload, type Store, takeChange } from './store/store.ts'
import type { App } from './views/app.ts'
import { defineViews } from './views/define.ts'

const saveMs = 250
const clockMs = 30_000

export function startDashboard(host: Host, parent: HTMLElement, elkUrl?: string): Store {
  registerKit()
  defineViews()
  const store = makeStore(host, Date.now(), elkUrl)
  const app = document.createElement('svc-app') as App
  app.store = store
  parent.append(app)
  host.onChange(change => takeChange(store, change, runId => void watchRun(store, runId)))
  keepState(store)
  // Updates displayed ages without a new layout.
  setInterval(() => (store.nowMs.value = Date.now()), clockMs)
  void reload(store)
  return store
}

function keepState(store: Store): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const first = store.viewState.peek()
  effect(() => {
    const state = store.viewState.value
    if (state === first) return
    clearTimeout(timer)
    timer = setTimeout(() => store.host.state.save(state), saveMs)
  })
}
