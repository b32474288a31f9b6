/** Waits until something is there; says what was waited for. */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  limitMs = 60_000,
): Promise<T> {
  for (const deadline = Date.now() + limitMs; ; ) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (Date.now() > deadline) throw new Error(`waited ${limitMs / 1000} s for ${what}`)
    await new Promise(resolve => setTimeout(resolve, 25))
  }
}
