/**
 * Compares addresses of files as text. Editor and server may write the same address in two ways:
 * `file:///c%3A/x` and `file:///C:/x`, with and without a final slash.
 */

export function sameUri(a: string, b: string): boolean {
  return normal(a) === normal(b)
}

/** Returns true for the folder itself too. */
export function isWithin(uri: string, folder: string): boolean {
  const [path, root] = [normal(uri), normal(folder)]
  return path === root || path.startsWith(`${root}/`)
}

function normal(uri: string): string {
  const text = decoded(uri).replace(/\/$/, '')
  return text.replace(
    /^(file:\/\/\/)([A-Za-z]):/,
    (_, start: string, drive: string) => `${start}${drive.toLowerCase()}:`,
  )
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri)
  } catch {
    return uri
  }
}
