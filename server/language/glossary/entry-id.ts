/**
 * Returns the identifier of an entry without its own (interface.md 2.1): a prefix, a dot and a slug of the
 * name.
 */
export function entryId(prefix: string, name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
  return `${prefix}.${slug === '' ? 'unnamed' : slug}`
}
