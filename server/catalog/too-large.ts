/** Diagnostics for SQL that is too large to be checked: data written as SQL, or a file made to do harm. */
import { type Asset, type Diagnostic, longestSql, type SqlTemplate } from '../language/index.ts'
import type { Range } from '../language/text/range.ts'

/** The number of characters to mark in SQL without a line break. */
const shownLength = 80
export const mostTests = 1_000

export function isTooLarge({ text }: SqlTemplate): boolean {
  return text.length > longestSql
}

export function tooLarge(asset: Asset, template: SqlTemplate): Diagnostic {
  const count = template.text.length.toLocaleString('en-US')
  return problemAt(
    asset,
    template,
    `the SQL has ${count} characters, ${longestSql.toLocaleString('en-US')} are allowed`,
    'Put its rows into a data file, and read that with ingest.type: file.',
  )
}

export function tooManyTests(asset: Asset, template: SqlTemplate, count: number): Diagnostic {
  const allowed = mostTests.toLocaleString('en-US')
  return problemAt(
    asset,
    template,
    `the asset has ${count.toLocaleString('en-US')} tests with SQL, ${allowed} are allowed`,
    'Ask more in one test: its SQL may read a table of what is expected.',
  )
}

function problemAt(asset: Asset, template: SqlTemplate, message: string, hint: string): Diagnostic {
  const range = firstLine(template)
  return { code: 'sql-too-large', severity: 'error', message, hint, path: asset.path, range }
}

/** Returns the range in the file where a problem of the whole SQL is shown. */
export function firstLine({ text, toFile }: Pick<SqlTemplate, 'text' | 'toFile'>): Range {
  const end = text.trimStart().search(/[\r\n]/)
  return toFile.rangeToOriginal({ start: 0, end: end > 0 ? end : Math.min(text.length, shownLength) })
}
