/** Parses the `Link` header of RFC 8288. */

export interface Link {
  readonly target: string
  readonly relations: readonly string[]
}

/** Returns the links in order, without those that are malformed. */
export function parseLinkHeader(header: string): Link[] {
  const links: Link[] = []
  const pattern = /<([^>]*)>((?:\s*;\s*[^\s=;,]+\s*(?:=\s*(?:"(?:[^"\\]|\\.)*"|[^\s",;]+))?)*)/g
  for (const match of header.matchAll(pattern)) {
    links.push({ target: (match[1] ?? '').trim(), relations: relationsOf(match[2] ?? '') })
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
  return parseLinkHeader(header).find(link => link.relations.includes('next'))?.target
}
