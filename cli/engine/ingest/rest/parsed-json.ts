/** Parses JSON of a service with NaN and Infinity as null; undefined for no text at all. */
export function parsedJson(bytes: Uint8Array): unknown {
  const text = Buffer.from(bytes)
    .toString('utf8')
    .replace(/^\ufeff/, '')
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return JSON.parse(
      text.replace(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, found =>
        found.startsWith('"') ? found : 'null',
      ),
    )
  }
}
