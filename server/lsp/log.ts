/** Logs to the editor. Every line is redacted. */
import type { RemoteConsole } from 'vscode-languageserver'
import { redact } from '../language/index.ts'

export interface Log {
  error(message: string, cause?: unknown): void
  warn(message: string): void
  info(message: string): void
}

/** Makes the log. `secrets` is called each time, because files that are opened later may name more. */
export function logTo(console: RemoteConsole, secrets: () => readonly string[]): Log {
  const clean = (message: string) => redact(message, secrets())
  return {
    error: (message, cause) =>
      console.error(clean(cause === undefined ? message : `${message}: ${textOf(cause)}`)),
    warn: message => console.warn(clean(message)),
    info: message => console.info(clean(message)),
  }
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
}
