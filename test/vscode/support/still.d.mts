import type { BrowserContextOptions } from 'playwright-core'

export const stillSettings: Readonly<Record<string, unknown>>
export const unseenWindow: BrowserContextOptions
export const unseenSettings: Readonly<Record<string, unknown>>
