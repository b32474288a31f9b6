/**
 * The target of a request (RFC 9112 section 3.2) as path and query, so that every limit and every route sees the same
 * address, in whatever form a client writes it.
 */

/** Returns undefined for a target that cannot be read. */
export function originForm(target: string): string | undefined {
  if (target.startsWith('/')) return target.split('#', 1)[0]
  if (target === '*') return target
  const absolute = /^https?:\/\/([^/?#]+)([^#]*)/i.exec(target)
  if (absolute === null || !isAuthority(absolute[1] ?? '')) return undefined
  const rest = absolute[2] ?? ''
  return rest.startsWith('/') ? rest : `/${rest}`
}

export function pathOf(target: string): string {
  return target.split('?', 1)[0] ?? target
}

function isAuthority(text: string): boolean {
  try {
    return new URL(`http://${text}/`).hostname !== ''
  } catch {
    return false
  }
}
