/**
 * Lists every diagnostic code with its meaning and its fix: those of the checks, and those of the parser, of
 * sources and of the shadow catalogue, which have files beside this one. A test compares this list with the
 * codes in the source.
 */

import { pythonRules } from '../python/python-rules.ts'
import { compareTexts } from '../text/compare.ts'
import type { Check } from './check.ts'
import { codesOf, type DiagnosticCode, type Fix, inAsset } from './diagnostic-code.ts'
import { glossaryCodes } from './glossary-diagnostic-codes.ts'
import { checks } from './index.ts'
import { macroCodes } from './macro-diagnostic-codes.ts'
import { schemaCodes } from './schema-diagnostic-codes.ts'
import { sourceCodes } from './source-diagnostic-codes.ts'
import { sqlCodes } from './sql-diagnostic-codes.ts'
import { syntaxCodes } from './syntax-diagnostic-codes.ts'

export type { DiagnosticCode } from './diagnostic-code.ts'

interface CodeGroup {
  readonly title: string
  readonly codes: readonly DiagnosticCode[]
}

const unitCodes = codesOf({
  'unit-test-broken': 'The SQL of an asset fails on the rows that a unit test gives.',
  'unit-test-failed': 'A unit test expects other rows than those that came.',
  'unit-test-time': 'The SQL asks for the time, and the unit test does not say with `now` what it is.',
  'unit-test-unknown-name': 'A unit test names an input, column, CTE or variable that there is not.',
  'unit-test-value': 'A value of a unit test cannot be what its column is.',
})

const pythonCodes = codesOf({ 'python-syntax': 'The Python cannot be parsed.', ...pythonRules })

function groups(): readonly CodeGroup[] {
  const own = checks.map(codeOf).sort(byCode)
  return [
    { title: 'The file', codes: syntaxCodes },
    { title: 'Keys and values', codes: schemaCodes },
    { title: 'The project', codes: own.filter(({ code }) => !code.startsWith('sql-')) },
    { title: 'Sources', codes: sourceCodes },
    { title: 'SQL', codes: [...sqlCodes, ...own.filter(({ code }) => code.startsWith('sql-'))] },
    { title: 'Macros', codes: macroCodes },
    { title: 'Python', codes: pythonCodes },
    { title: 'Unit tests', codes: unitCodes },
    { title: 'Glossary', codes: glossaryCodes },
  ]
}

function codeOf({ code, severity = 'error', doc, fix }: Check): DiagnosticCode {
  return { code, severity, doc, ...(fix !== undefined && { fix: inAsset(fix) }) }
}

function byCode(a: DiagnosticCode, b: DiagnosticCode): number {
  return compareTexts(a.code, b.code)
}

let fixes: ReadonlyMap<string, Fix> | undefined

/** Returns undefined if only the diagnostic's own fixes apply. */
export function fixOf(code: string): Fix | undefined {
  fixes ??= new Map(
    diagnosticCodes().flatMap(each => (each.fix === undefined ? [] : [[each.code, each.fix]])),
  )
  return fixes.get(code)
}

/** Returns all codes, sorted, without duplicates. */
export function diagnosticCodes(): readonly DiagnosticCode[] {
  return groups()
    .flatMap(group => group.codes)
    .sort(byCode)
}

/** Returns the text of `docs/diagnostics.md`. */
export function diagnosticsPage(): string {
  const sections = groups().map(({ title, codes }) => `## ${title}\n\n${codes.map(entry).join('\n')}\n`)
  return [
    '# Diagnostics\n',
    'Every problem that `svc validate`, `svc plan` and the editor can show in a file, by its code. An error keeps the',
    'asset from being built; a warning does not. Each has a page with an example and its correction; `svc explain <code>`',
    'prints the same in a terminal.\n',
    ...sections,
  ].join('\n')
}

function entry({ code, severity, doc }: DiagnosticCode): string {
  return `- [\`${code}\`](diagnostics/${code}.md)${severity === 'error' ? '' : ` (${severity})`}: ${doc}`
}
