/**
 * The host in VS Code: sends requests to the `svc ui` process of the extension through messages. Runs and
 * rollbacks continue in a terminal of the editor; the dashboard follows them like runs that were started
 * elsewhere.
 */
import { browserHost } from './browser.ts'
import { createEditorLink, type EditorApi, type Order } from './editor-link.ts'
import { type Host, type HostChange, HostError, type HostState, type RunStream } from './host.ts'
import { useTransport } from './http.ts'
import { type ViewState, viewStateOf } from './view-state.ts'

/** A fast command may end before the first event of its run arrives. */
const lateMs = 3_000

/** `root` is the URI of the project, which the editor opens again after a reload. */
export function vscodeHost(api: EditorApi, root: string): Host {
  const link = createEditorLink(api, window)
  useTransport(link.transport)
  const served = browserHost({ readOnly: false, project: root })
  const expected: ((runId: string) => void)[] = []

  /**
   * The next announced run is the requested one, because the server announces no other while one is in
   * progress.
   */
  function isExpected(change: HostChange): boolean {
    if (change.type !== 'run') return false
    const take = expected.shift()
    take?.(change.runId)
    return take !== undefined
  }

  async function begin(order: Order, selector: string): Promise<RunStream> {
    let take: (runId: string) => void = () => {}
    const begun = new Promise<string>(resolve => {
      take = resolve
      expected.push(resolve)
    })
    const ended = link.command(order).then(async code => {
      await new Promise(resolve => setTimeout(resolve, lateMs))
      return { code }
    })
    try {
      const first = await Promise.race([begun, ended])
      if (typeof first === 'string') return await served.attach(first)
      throw neverBegun(selector, first.code)
    } finally {
      const place = expected.indexOf(take)
      if (place >= 0) expected.splice(place, 1)
    }
  }

  return {
    ...served,
    abilities: { run: true, openFile: true, ownTerminal: true },
    onChange(listener) {
      served.onChange(change => {
        if (!isExpected(change)) listener(change)
      })
      link.onTold(listener)
    },
    run: (asset, mode) => begin({ type: 'run', asset, mode }, asset),
    rollback: names => begin({ type: 'rollback', names }, names.join(', ')),
    async cancel(runId) {
      await link.command({ type: 'cancel', runId })
    },
    openFile: (path, line) => api.postMessage({ type: 'open', path, line }),
    state: editorState(api, root),
  }
}

function neverBegun(selector: string, code: number | null): HostError {
  if (code === null) return new HostError('aborted', `the run of ${selector} was not started`)
  return new HostError('failed', `svc ended with exit code ${code}`, { hint: 'Its terminal says why.' })
}

/** The state contains the project, so that the editor knows what to open again. */
function editorState(api: EditorApi, root: string): HostState {
  return {
    load() {
      const kept = api.getState()
      const isOurs = typeof kept === 'object' && kept !== null && 'view' in kept
      return isOurs ? viewStateOf(kept.view) : undefined
    },
    save: (view: ViewState) => api.setState({ root, view }),
  }
}
