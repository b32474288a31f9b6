/** The names of servers, by which others see whether they still run. */
import { randomUUID } from 'node:crypto'

const prefix = 'server:'

export function newServerName(): string {
  return prefix + randomUUID()
}

export function isServerName(text: string): boolean {
  return text.startsWith(prefix)
}
