/** Diagnostics for SQL that is too large to be checked: data written as SQL, or a file made to do harm. */
import type { Asset, Diagnostic, SqlTemplate } from '../language/index.ts'
import type { SqlLimits } from '../language/project/project.ts'
import type { Range } from '../language/text/range.ts'
import { tooLargeCode } from './too-expensive.ts'

/** The number of characters to mark in SQL without a line break. */
const shownLength = 80

export function isTooLarge({ text }: SqlTemplate, { characters }: SqlLimits): boolean {
  return text.length > characters
}

export function tooLarge(asset: Asset, template: SqlTemplate, { characters }: SqlLimits): Diagnostic {
  const count = template.text.length.toLocaleString('en-US')
  return problemAt(
    asset,
    template,
    `the SQL has ${count} characters, ${characters.toLocaleString('en-US')} are allowed`,
    'Put its rows into a data file, and read that with ingest.type: file, or raise limits.sql.length in svc.yaml.',
  )
}

export function tooManyTests(
  asset: Asset,
  template: SqlTemplate,
  count: number,
  { tests }: SqlLimits,
): Diagnostic {
  const allowed = tests.toLocaleString('en-US')
  return problemAt(
    asset,
    template,
    `the asset has ${count.toLocaleString('en-US')} tests with SQL, ${allowed} are allowed`,
    'Ask more in one test: its SQL may read a table of what is expected. Or raise limits.sql.tests in svc.yaml.',
  )
}

function problemAt(asset: Asset, template: SqlTemplate, message: string, hint: string): Diagnostic {
  const range = firstLine(template)
  return { code: tooLargeCode, severity: 'error', message, hint, path: asset.path, range }
}

/** Returns the range in the file where a problem of the whole SQL is shown. */
export function firstLine({ text, toFile }: Pick<SqlTemplate, 'text' | 'toFile'>): Range {
  const end = text.trimStart().search(/[\r\n]/)
  return toFile.rangeToOriginal({ start: 0, end: end > 0 ? end : Math.min(text.length, shownLength) })
}
