/** One feature of the server: the capability that it announces, and its handlers. */
import type { ClientCapabilities, ServerCapabilities } from 'vscode-languageserver'
import type { Context } from './context.ts'

export interface Feature {
  readonly capabilities: (client: ClientCapabilities, isVsCode: boolean) => ServerCapabilities
  readonly register: (context: Context) => void
}
