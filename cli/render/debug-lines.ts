/**
 * Renders events of `--debug`: statements with seconds and rows, requests with status, decisions with their
 * reason.
 */
import type { RunEvent } from '@svc/server/contract'
import { countOf, formatSeconds } from './numbers.ts'
import type { Style } from './style.ts'

export function debugLines(event: RunEvent, style: Style): string[] {
  switch (event.type) {
    case 'statement': {
      const facts = [
        formatSeconds(event.seconds),
        ...(event.rows === undefined ? [] : [countOf(event.rows, 'row')]),
        ...(event.failed ? ['failed'] : []),
      ]
      return [`-- ${facts.join(', ')}`, ...event.sql.split('\n')].map(style.dim)
    }
    case 'request': {
      const outcome = event.error ?? String(event.status ?? '?')
      return [style.dim(`-- ${event.method} ${event.url} ${outcome} ${formatSeconds(event.seconds)}`)]
    }
    case 'decision':
      return [style.dim(`-- ${event.asset}: ${event.change}, ${event.because}`)]
    default:
      return []
  }
}
