/** Returns a part of an address without its escapes; the part itself if they are broken. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
