/** An example of a problem, for its page and for `svc explain`: a test shows that it is what it says. */
export interface DiagnosticExample {
  /** The files by path, of which the first has the problem; none where it cannot be shown in a few lines. */
  readonly files: Readonly<Record<string, string>>
  /** The first file without the problem. */
  readonly fixed?: string
  /** How to fix it, in a sentence or two of Markdown. */
  readonly fix: string
}

export type DiagnosticExamples = Readonly<Record<string, DiagnosticExample>>

/** Returns an example of one file, `models/orders.svc`. */
export function inOrders(text: string, fixed: string | undefined, fix: string): DiagnosticExample {
  return { files: { 'models/orders.svc': text }, ...(fixed !== undefined && { fixed }), fix }
}

/** Returns the file of an asset that is one query over other assets. */
export function model(sql: string, more = ''): string {
  const block = sql.includes('\n')
    ? `|\n${sql.replace(/^(?=.)/gm, '  ')}`
    : /[:#{]|^["']/.test(sql)
      ? `|\n  ${sql}`
      : sql
  return `name: orders\ningest: none\ntransform: ${block}\n${more}`
}

/** Returns the file of an asset that reads rows of its own. */
export function rows(values: string, sql: string, more = ''): string {
  return `name: orders\ningest: {type: rows, rows: [${values}]}\ntransform: ${sql}\n${more}`
}
