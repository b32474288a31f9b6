import type { EditorTools } from './editor-tools.mjs'

/** For Chromium in a container: no sandbox of its own, and no request that the page did not ask for. */
export const chromiumOptions: readonly string[]

export interface CodeServer {
  readonly url: string
  readonly port: number
  /** What server, window and extension have logged, for somebody who looks for the cause of a failure. */
  logs(): string
  readonly exited: Promise<unknown>
  stop(): Promise<void>
}

export function startCodeServer(options: {
  readonly tools: EditorTools
  /** Emptied first; keep its path short, sockets live in it. */
  readonly folder: string
  /** Installed before the start. */
  readonly vsix?: string
  /** Over the quiet ones. */
  readonly settings?: Readonly<Record<string, unknown>>
  readonly env?: Readonly<Record<string, string>>
  /** Further options of code-server. */
  readonly flags?: readonly string[]
  /** A free one by default. */
  readonly port?: number
}): Promise<CodeServer>

export function freePort(): Promise<number>
