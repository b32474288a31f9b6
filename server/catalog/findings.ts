/** The binder's errors in the user's words: code, message, hint, names offered, and the place in the SQL. */
import type { Diagnostic } from '../language/index.ts'
import type { Expression, TableNode } from '../language/lineage/sql-tree.ts'
import type { Range } from '../language/text/range.ts'
import { type BindError, isTooDeep } from './bind-error.ts'
import { callFinding } from './call-findings.ts'
import { clauseFinding } from './clause-findings.ts'
import { columnFinding } from './column-findings.ts'
import type { Treatment } from './diagnose.ts'
import { fixesOf, type SqlEdit } from './fixes.ts'
import { optionFinding } from './literals/option-finding.ts'
import { missingFinding } from './missing-findings.ts'
import { errorRange, tokenRange, wholeRange } from './node-ranges.ts'
import { quotedIn, sentence } from './phrases.ts'
import { invalidTagName, type Statement } from './statement.ts'
import type { PlacedNode } from './tree-paths.ts'

export interface Finding {
  readonly code: string
  readonly message: string
  readonly hint?: string | undefined
  readonly suggestions?: readonly string[]
  /** In the statement's SQL. */
  readonly range: Range
  /** What mends it, where that is not the best suggestion in place of what stands at `range`. */
  readonly edit?: SqlEdit | undefined
}

/** No finding: the error rests on something unknown, on something mended, or is reported by others. */
export async function findingOf(
  treatment: Treatment,
  error: BindError,
  culprit: PlacedNode | undefined,
): Promise<Finding[]> {
  if (/^Expected \d+ parameters/.test(error.message)) return parameterFindings(treatment)
  if (!culprit) return [otherFinding(treatment, error, undefined)]
  const node = culprit.node as unknown as Expression & TableNode
  const finding =
    missingFinding(treatment, error, node) ??
    columnFinding(treatment, error, node) ??
    callFinding(treatment, error, node) ??
    optionFinding(error, node, treatment) ??
    clauseFinding(treatment, error, node) ??
    otherFinding(treatment, error, node)
  const resolved = (await finding) ?? otherFinding(treatment, error, node)
  return resolved === 'silent' ? [] : [resolved]
}

export type Found = Finding | 'silent' | undefined

export function findingsToDiagnostics(findings: readonly Finding[], statement: Statement): Diagnostic[] {
  const seen = new Set<string>()
  const diagnostics: Diagnostic[] = []
  for (const finding of findings) {
    const { code, message, hint, suggestions, range } = finding
    const key = `${code} ${range.start} ${range.end}`
    if (seen.has(key) || isInvalidTag(statement, range)) continue
    seen.add(key)
    const fixes = fixesOf(finding, statement)
    diagnostics.push({
      code,
      severity: 'error',
      message,
      path: statement.path,
      range: statement.toFile.rangeToOriginal(range),
      ...(hint === undefined ? {} : { hint }),
      ...(suggestions === undefined || suggestions.length === 0 ? {} : { suggestions }),
      ...(fixes.length === 0 ? {} : { fixes }),
    })
  }
  return diagnostics.sort((a, b) => a.range.start - b.range.start)
}

function isInvalidTag(statement: Statement, range: Range): boolean {
  return statement.hasInvalidTags && statement.sql.slice(range.start, range.end) === invalidTagName
}

// ---------------------------------------------------------------- the rest

function otherFinding(
  treatment: Treatment,
  error: BindError,
  node: (Expression & TableNode) | undefined,
): Finding {
  if (error.kind === 'permission') return fileFinding(treatment, error, node)
  if (isTooDeep(error)) return { ...tooDeep, range: wholeRange(treatment) }
  return {
    code: 'sql-other',
    message: sentence(error.message),
    range: node ? errorRange(treatment, error, node) : wholeRange(treatment),
  }
}

const tooDeep = {
  code: 'sql-other',
  message: 'expressions are nested more than 1,000 deep',
  hint: 'An alias that rests on an alias that rests on an alias counts too: put some of them into a CTE.',
}

function parameterFindings(treatment: Treatment): Finding[] {
  const parameters = treatment.places.tokens().filter(token => token.kind === 'parameter')
  return parameters.map(range => ({
    code: 'sql-other',
    message: 'SQL here has no parameters',
    hint: "Values come in through {{ var('name') }}.",
    range,
  }))
}

function fileFinding(treatment: Treatment, error: BindError, node: Expression | undefined): Finding {
  const file = quotedIn(error.message)[0] ?? ''
  return {
    code: 'sql-other',
    message: `SQL cannot read "${file}"`,
    hint: 'Files are read by an asset with ingest.type "file", and its rows through {{ source }}.',
    range: node ? tokenRange(treatment, node) : wholeRange(treatment),
  }
}
