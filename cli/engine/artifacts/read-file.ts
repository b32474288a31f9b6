/** Reads files that svc has written: one that is missing or damaged is none. */
import { readFileSync } from 'node:fs'

export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Returns undefined for no text, and for one that is no JSON. */
export function parseJson<T>(text: string | undefined): T | undefined {
  try {
    return JSON.parse(text ?? '') as T
  } catch {
    return undefined
  }
}

export function readJson<T>(path: string): T | undefined {
  return parseJson<T>(readText(path))
}

/** Returns the values of lines of JSON, without those that were cut off. */
export function jsonLines<T>(text: string): T[] {
  return text.split('\n').flatMap(line => parseJson<T>(line) ?? [])
}
