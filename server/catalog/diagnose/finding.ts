/** A mistake in a statement, described in the user's terms, with its place in the template. */
import { type Diagnostic, type Facts, lineIndex } from '../../language/index.ts'
import { placeInMacro } from '../../language/macros/expand-template.ts'
import type { Edit } from '../../language/sql/tree.ts'
import type { Expanded } from '../../language/syntax/template.ts'
import type { Range } from '../../language/text/range.ts'
import { fixesOf, type SqlEdit } from '../fixes.ts'
import type { Statement } from '../statement.ts'

export interface Finding {
  readonly code: string
  readonly message: string
  readonly hint?: string | undefined
  readonly suggestions?: readonly string[]
  readonly facts?: Facts
  /** The place in the text of the template. */
  readonly range: Range
  /** The edit that corrects it, if that is not to replace the text at `range` by the best suggestion. */
  readonly edit?: SqlEdit | undefined
  /** The edits that correct it, where they are several. */
  readonly together?: { readonly title: string; readonly edits: readonly Edit[] } | undefined
}

/** What is told of an engine's error: a finding, or nothing because it follows from another one. */
export type Found = Finding | 'silent'

/** A finding with the edit that removes the mistake, so that the engine can check the rest. */
export interface RepairedFinding {
  readonly finding: Finding
  readonly repair: readonly Edit[]
  /** The finding that this one follows from. It counts only where that one does. */
  readonly because?: RepairedFinding | undefined
}

export function findingsToDiagnostics(findings: readonly Finding[], statement: Statement): Diagnostic[] {
  const seen = new Set<string>()
  // The template reports its invalid tags itself.
  const badTags = new Set(
    statement.template.tags.flatMap(({ kind, range }) => (kind === 'invalid' ? range.start : [])),
  )
  const diagnostics: Diagnostic[] = []
  for (const finding of findings) {
    const { code, message, hint, suggestions, facts, range } = finding
    const key = `${code} ${range.start} ${range.end}`
    if (seen.has(key) || (code === 'sql-syntax' && badTags.has(range.start))) continue
    seen.add(key)
    const fixes = fixesOf(finding, statement)
    const origin = originOf(statement, range)
    // A column that an asset gives to a test of its own is reported by the check `test-unknown-column`.
    if (statement.template.elsewhere !== undefined && origin === undefined && code === 'sql-unknown-column')
      continue
    const within = placeInMacro(statement.template, range)
    const places = [
      ...(within === undefined ? [] : [`the macro ${placeText(within)}`]),
      ...(origin === undefined ? [] : [origin.place]),
    ]
    const related = [...(within === undefined ? [] : [relatedOf(within)]), ...(origin?.related ?? [])]
    diagnostics.push({
      code,
      severity: 'error',
      message: [message, ...places].join(', in '),
      path: statement.path,
      range: statement.template.toFile.rangeToOriginal(range),
      ...(hint === undefined ? {} : { hint }),
      ...(suggestions === undefined || suggestions.length === 0 ? {} : { suggestions }),
      ...(fixes.length === 0 ? {} : { fixes }),
      ...(related.length > 0 && { related }),
      ...(facts !== undefined && { facts }),
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
  return { place, related: [{ path, range: at, message: `the test "${test}" has it here` }] }
}

function isSame(a: Range, b: Range): boolean {
  return a.start === b.start && a.end === b.end
}

/** `"cents" (macros/money.sql:3:25)` */
function placeText({ macro, path, text, place }: Expanded): string {
  const { line, column } = lineIndex(text).position(place.start)
  return `"${macro}" (${path}:${line}:${column})`
}

function relatedOf({ macro, path, place }: Expanded): NonNullable<Diagnostic['related']>[number] {
  return { path, range: place, message: `the macro "${macro}" has it here` }
}
