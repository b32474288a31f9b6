/**
 * Reports files that are not valid UTF-8. Bytes are read again only if the text has replacement characters.
 */
import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Diagnostic } from '../language/index.ts'

const replacement = '\ufffd'

/** Returns at most one diagnostic per file, at the first wrong byte. */
export function encodingProblems(root: string, texts: Iterable<readonly [string, string]>): Diagnostic[] {
  const problems: Diagnostic[] = []
  for (const [path, text] of texts) {
    if (!text.includes(replacement)) continue
    const bytes = readAgain(join(root, path))
    if (bytes !== undefined && !isUtf8(bytes)) problems.push(problemOf(path, text, bytes))
  }
  return problems
}

/** Puts the encoding problems of a file before the others that it has. */
export function withEncoding<T extends { readonly diagnostics: readonly Diagnostic[] }>(
  file: T,
  encoding: readonly Diagnostic[],
): T {
  return encoding.length === 0 ? file : { ...file, diagnostics: [...encoding, ...file.diagnostics] }
}

/** Reads the file; a file that changes meanwhile is checked the next time. */
function readAgain(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

function problemOf(path: string, text: string, bytes: Buffer): Diagnostic {
  const mark = bytes.readUInt16BE(0)
  const isUtf16 = mark === 0xfeff || mark === 0xfffe
  const at = isUtf16 ? { offset: 0, byte: 0 } : firstWrong(text, bytes)
  const byte = (bytes[at.byte] ?? 0).toString(16).toUpperCase().padStart(2, '0')
  return {
    code: 'not-utf8',
    severity: 'error',
    path,
    range: { start: at.offset, end: at.offset + 1 },
    message: isUtf16
      ? 'the file is UTF-16, not UTF-8'
      : `the file is not UTF-8 text: byte ${byte} is wrong here`,
    hint: 'Save it as UTF-8.',
  }
}

/** Finds the first wrong byte. Up to it, text and bytes correspond. */
function firstWrong(text: string, bytes: Buffer): { readonly offset: number; readonly byte: number } {
  let byte = 0
  let counted = 0
  for (let offset = text.indexOf(replacement); offset >= 0; offset = text.indexOf(replacement, offset + 1)) {
    byte += Buffer.byteLength(text.slice(counted, offset))
    counted = offset
    // The text may contain the replacement character itself.
    if (bytes.readUIntBE(byte, Math.min(3, bytes.length - byte)) !== 0xefbfbd) return { offset, byte }
  }
  return { offset: 0, byte: 0 }
}
