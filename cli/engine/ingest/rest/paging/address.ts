/** Addresses in what answers say: texts, and links as HAL, JSON:API and others write them. */
import { valueAt } from '../value-at.ts'

/** Returns whether a value can be followed as an address, whole or relative. */
export function isAddress(value: unknown): value is string {
  return (
    typeof value === 'string' && /^(https?:\/\/|\.{0,2}\/|\?|&|[\w.~%/-]+\?[\w.[\]%$-]+=)/.test(value.trim())
  )
}

const linkKeys = ['href', 'url', 'uri', 'link', '@href', '@id', 'path']

export function addressIn(value: unknown): string | undefined {
  if (isAddress(value)) return value.trim()
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return linkKeys
    .map(key => valueAt(value, key))
    .find(isAddress)
    ?.trim()
}
