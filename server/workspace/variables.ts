/** Returns the environment variables that a text mentions as `env:NAME`. */
export function variablesIn(text: string): readonly string[] {
  if (!text.includes('env:')) return []
  return [...new Set([...text.matchAll(/\benv:([A-Za-z_][A-Za-z0-9_]*)/g)].map(match => match[1] ?? ''))]
}
