/**
 * The tags in the requests of a web service: `{{ cursor }}`, `{{ cursor.end }}`, `{{ parent.id }}`. Each has a short form
 * in single braces, without blanks.
 */
const tag = /\{\{\s*(cursor(?:\.end)?|parent\.[A-Za-z_]\w*)\s*\}\}/g

/** Returns a text with all tags in their short form. */
export function shortTags(text: string): string {
  return text.includes('{{') ? text.replace(tag, '{$1}') : text
}

/** The keys of `ingest` whose texts may have tags. */
export const requestKeys = ['endpoint', 'resource', 'params', 'headers', 'body'] as const

export type RequestKey = (typeof requestKeys)[number]

/** Which tags each key may have. */
export const tagsOf: Readonly<Record<RequestKey, readonly ('cursor' | 'parent')[]>> = {
  endpoint: [],
  resource: ['cursor', 'parent'],
  params: ['cursor', 'parent'],
  headers: ['cursor'],
  body: ['cursor', 'parent'],
}

export interface Braces {
  /** As it is written, with its braces. */
  readonly written: string
  /** What stands in the braces, without blanks around it. */
  readonly inner: string
  readonly index: number
  readonly isDouble: boolean
  /** Whether a dollar stands before them, as in the templates of other tools. */
  readonly isAfterDollar: boolean
  /** The tag that it is, without what follows a dot; undefined where it is none. */
  readonly tag: 'cursor' | 'parent' | undefined
}

/** Returns whatever stands in braces and holds no others. */
export function bracesIn(text: string): readonly Braces[] {
  return Array.from(text.matchAll(/\{\{[^{}]*\}\}|\{[^{}]*\}/g), ({ 0: written, index }) => {
    const isDouble = written.startsWith('{{')
    const content = isDouble ? written.slice(2, -2) : written.slice(1, -1)
    // Single braces around blanks are GraphQL's.
    const isTag = isDouble || content === content.trim()
    return {
      written,
      inner: content.trim(),
      index,
      isDouble,
      isAfterDollar: text[index - 1] === '$',
      tag: isTag ? tagNamed(content.trim()) : undefined,
    }
  })
}

function tagNamed(inner: string): 'cursor' | 'parent' | undefined {
  if (inner === 'cursor' || inner === 'cursor.end') return 'cursor'
  return /^parent\.[A-Za-z_]\w*$/.test(inner) ? 'parent' : undefined
}
