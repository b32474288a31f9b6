/** Something wrong with a statement, in the user's words, at a place of its template. */
import type { Diagnostic } from '../../language/index.ts'
import type { Edit } from '../../language/sql/tree.ts'
import type { Range } from '../../language/text/range.ts'
import { fixesOf, type SqlEdit } from '../fixes.ts'
import type { Statement } from '../statement.ts'

export interface Finding {
  readonly code: string
  readonly message: string
  readonly hint?: string | undefined
  readonly suggestions?: readonly string[]
  /** In the template's text. */
  readonly range: Range
  /** What puts it right, where that is not the best suggestion in place of what stands at `range`. */
  readonly edit?: SqlEdit | undefined
}

/** A finding with what takes it out of the text, so that the engine can judge the rest. */
export interface MendedFinding {
  readonly finding: Finding
  readonly mend: readonly Edit[]
  /** It follows from this one, and counts only where that does. */
  readonly because?: MendedFinding | undefined
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
    diagnostics.push({
      code,
      severity: 'error',
      message,
      path: statement.path,
      range: statement.template.toFile.rangeToOriginal(range),
      ...(hint === undefined ? {} : { hint }),
      ...(suggestions === undefined || suggestions.length === 0 ? {} : { suggestions }),
      ...(fixes.length === 0 ? {} : { fixes }),
    })
  }
  return diagnostics.sort((a, b) => a.range.start - b.range.start)
}
