/** Parses the `Link` header of RFC 8288. */

export interface Link {
  readonly target: string
  readonly relations: readonly string[]
  /** Whether the server says that there is nothing behind it (Sentry: `results="false"`). */
  readonly isEmpty: boolean
}

/** Returns the links in order, without those that are malformed. */
export function parseLinkHeader(header: string): Link[] {
  const links: Link[] = []
  const pattern = /<([^>]*)>((?:\s*;\s*[^\s=;,]+\s*(?:=\s*(?:"(?:[^"\\]|\\.)*"|[^\s",;]+))?)*)/g
  for (const match of header.matchAll(pattern)) {
    const parameters = match[2] ?? ''
    const isEmpty = /;\s*results\s*=\s*"?false"?/i.test(parameters)
    links.push({ target: (match[1] ?? '').trim(), relations: relationsOf(parameters), isEmpty })
  }
  return links
}

/** Returns the relations of the first `rel` parameter, which may name several. */
function relationsOf(parameters: string): readonly string[] {
  const match = /;\s*rel\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]+))/i.exec(parameters)
  return (match?.[1] ?? match?.[2] ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter(relation => relation !== '')
}

export function nextLink(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  return parseLinkHeader(header).find(link => link.relations.includes('next') && !link.isEmpty)?.target
}
