/**
 * Returns the identifier of an entry without its own (interface.md 2.1): a prefix, a dot and a slug of the
 * name. An accent on a Latin or Greek letter is left out (`café` is `cafe`); in other scripts a mark is part of the letter,
 * without which it would be another word (`だけ` is not `たけ`).
 */
export function entryId(prefix: string, name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(variants, '')
    .replace(/(?<=[\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase()
    // A mark that stands on nothing is no letter.
    .replace(/(?<![\p{L}\p{N}\p{M}])\p{M}+/gu, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
  return `${prefix}.${slug === '' ? 'unnamed' : slug}`
}

/** They choose how a character looks, and are marks too. */
const variants = /[\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]/gu
