/** A mistake in a statement, described in the user's terms, with its place in the template. */
import { type Diagnostic, lineIndex } from '../../language/index.ts'
import type { Edit } from '../../language/sql/tree.ts'
import type { Range } from '../../language/text/range.ts'
import { fixesOf, type SqlEdit } from '../fixes.ts'
import type { Statement } from '../statement.ts'

export interface Finding {
  readonly code: string
  readonly message: string
  readonly hint?: string | undefined
  readonly suggestions?: readonly string[]
  /** The place in the text of the template. */
  readonly range: Range
  /** The edit that corrects it, if that is not to replace the text at `range` by the best suggestion. */
  readonly edit?: SqlEdit | undefined
}

/** A finding with the edit that removes the mistake, so that the engine can check the rest. */
export interface RepairedFinding {
  readonly finding: Finding
  readonly repair: readonly Edit[]
  /** The finding that this one follows from. It counts only where that one does. */
  readonly because?: RepairedFinding | undefined
}

export function findingsToDiagnostics(findings: readonly Finding[], statement: Statement): Diagnostic[] {
  const seen = new Set<string>()
  const diagnostics: Diagnostic[] = []
  for (const finding of findings) {
    const { code, message, hint, suggestions, range } = finding
    const key = `${code} ${range.start} ${range.end}`
    if (seen.has(key)) continue
    seen.add(key)
    const fixes = fixesOf(finding, statement)
    const origin = originOf(statement, range)
    // A column that an asset gives to a test of its own is reported by the check `test-unknown-column`.
    if (statement.template.elsewhere !== undefined && origin === undefined && code === 'sql-unknown-column')
      continue
    diagnostics.push({
      code,
      severity: 'error',
      message: origin === undefined ? message : `${message}, in ${origin.place}`,
      path: statement.path,
      range: statement.template.toFile.rangeToOriginal(range),
      ...(origin !== undefined && { related: [origin.related] }),
      ...(hint === undefined ? {} : { hint }),
      ...(suggestions === undefined || suggestions.length === 0 ? {} : { suggestions }),
      ...(fixes.length === 0 ? {} : { fixes }),
    })
  }
  return diagnostics.sort((a, b) => a.range.start - b.range.start)
}

/** Returns where the text of a test of one's own is written; undefined for SQL of the file, and for the values that it gives. */
function originOf({ template }: Statement, range: Range) {
  const { elsewhere, toFile } = template
  if (elsewhere === undefined || !isSame(toFile.rangeToOriginal(range), elsewhere.use)) return undefined
  const { test, path, text } = elsewhere
  const at = elsewhere.toOrigin.rangeToOriginal(range)
  const { line, column } = lineIndex(text).position(at.start)
  const place = `the test "${test}" (${path}:${line}:${column})`
  return { place, related: { path, range: at, message: `the test "${test}" has it here` } }
}

function isSame(a: Range, b: Range): boolean {
  return a.start === b.start && a.end === b.end
}
