/** Registers the components, once when the page starts. */
import { App } from './app.ts'
import { AssetTable } from './asset-table.ts'
import { Code } from './code.ts'
import { DrawerEdge } from './drawer-edge.ts'
import { Filters } from './filters.ts'
import { GraphSlot } from './graph-slot.ts'
import { LongList } from './long-list.ts'
import { Navigator } from './navigator.ts'
import { Palette } from './palette.ts'
import { Rollback } from './rollback.ts'
import { RunButton } from './run-button.ts'
import { Terminal } from './terminal.ts'

export function defineViews(): void {
  customElements.define('svc-app', App)
  customElements.define('svc-code', Code)
  customElements.define('svc-drawer-edge', DrawerEdge)
  customElements.define('svc-filters', Filters)
  customElements.define('svc-graph', GraphSlot)
  customElements.define('svc-long-list', LongList)
  customElements.define('svc-navigator', Navigator)
  customElements.define('svc-palette', Palette)
  customElements.define('svc-rollback', Rollback)
  customElements.define('svc-run-button', RunButton)
  customElements.define('svc-table', AssetTable)
  customElements.define('svc-terminal', Terminal)
}
