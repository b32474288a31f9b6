/**
 * The host of a read-only site (`svc lineage`): the data are in the page itself, so that any web server can
 * host it under any path, and a browser can open it from disk.
 */
import { columnPath } from '../../server/language/lineage/column-path.ts'
import type { DashboardData } from '../protocol.ts'
import { type Host, HostError } from './host.ts'
import { onLink, pageState } from './page-state.ts'

/** `text` is the data in the page. */
export function staticHost(text: string, project: string): Host {
  const data = dataOf(text)
  return {
    abilities: { run: false, openFile: false, ownTerminal: false },
    load: async () => {
      if (data === undefined) throw broken()
      return data
    },
    problems: async () => ({ checked_at: null, failure: null, problems: [] }),
    changed: async () => [],
    onChange: listener => onLink(asset => listener({ type: 'reveal', asset })),
    columnPath: async (asset, column) =>
      data === undefined ? undefined : columnPath(data.catalog, asset, column),
    run: async () => refuse(),
    attach: async () => refuse(),
    cancel: async () => refuse(),
    rollbackPreview: async () => refuse(),
    rollback: async () => refuse(),
    openFile: () => {},
    state: pageState(project),
  }
}

function dataOf(text: string): DashboardData | undefined {
  try {
    return JSON.parse(text) as DashboardData
  } catch {
    return undefined
  }
}

function broken(): HostError {
  return new HostError('failed', 'the data of this page are not whole', {
    hint: 'Make the site again: svc lineage --out <folder>.',
  })
}

function refuse(): never {
  throw new HostError('refused', 'this page only shows', { hint: 'svc ui runs and rolls back.' })
}
