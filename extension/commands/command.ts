/** A command of the palette, and the services that it may use. */
import type { ExtensionContext, LogOutputChannel } from 'vscode'
import type { Proposals } from '../ai/proposals.ts'
import type { VirtualTexts } from '../ai/virtual-texts.ts'
import type { Background } from '../background.ts'
import type { Server } from '../client.ts'
import type { CompiledSql } from '../compiled/compiled-sql.ts'
import type { CommandId } from '../contributions.ts'
import type { Environments } from '../environments.ts'
import type { History } from '../history.ts'
import type { Lineage } from '../lineage/lineage.ts'
import type { Projects } from '../projects/projects.ts'
import type { Results } from '../results/results.ts'
import type { LeaseWatch } from '../status/lease-watch.ts'
import type { Terminals } from '../terminals/terminals.ts'

export interface Services {
  readonly context: ExtensionContext
  readonly log: LogOutputChannel
  readonly server: Server
  readonly projects: Projects
  readonly environments: Environments
  readonly terminals: Terminals
  readonly history: History
  readonly background: Background
  readonly results: Results
  readonly lineage: Lineage
  readonly compiled: CompiledSql
  /** The runs of other windows, terminals and users. */
  readonly others: LeaseWatch
  readonly texts: VirtualTexts
  readonly proposals: Proposals
}

export interface Command {
  readonly id: CommandId
  /**
   * `argument` is the clicked item, `selected` are all items that were selected with it, as the editor passes
   * them.
   */
  run(services: Services, argument: unknown, selected: unknown): Promise<unknown>
}
