/** Renders what a key of a file or a code means, a code with an example and its correction. */
import type { JsonOf } from '@svc/server/contract'
import type { KeyPage } from '@svc/server/language'
import { keysJson, renderKeys } from './explain-key.ts'
import type { Style } from './style.ts'
import { renderTable } from './table.ts'
import { plain, wrap } from './width.ts'

/**
 * `severity` is that of a diagnostic, or the exit code of an error; `means` and `fix` are Markdown. The first file of
 * an example has the problem, and `fixed` is that file without it.
 */
export type Explanation = JsonOf<'explain'>['explanations'][number]

export interface Explained {
  readonly explanations: readonly Explanation[]
  readonly keys: readonly KeyPage[]
}

export function renderExplained({ explanations, keys }: Explained, style: Style): string[] {
  const parts = [...renderKeys(keys, style), ...explanations.map(each => renderOne(each, style))]
  return parts.flatMap((lines, index) => [...(index === 0 ? [] : ['']), ...lines])
}

export function explainJson({ explanations, keys }: Explained): JsonOf<'explain'> {
  return { explanations: [...explanations], keys: keysJson(keys) }
}

function renderOne({ code, severity, means, fix, example, fixed }: Explanation, style: Style): string[] {
  const [path = ''] = example.map(file => file.path)
  return [
    `${style.bold(code)}  ${style.dim(severity)}`,
    ...wrap(plain(means), style.width),
    ...example.flatMap(file => ['', style.dim(`${file.path}:`), ...indented(file.text)]),
    '',
    ...wrap(`${style.bold('Fix:')} ${plain(fix)}`, style.width),
    ...(fixed === null ? [] : ['', style.dim(`${path}:`), ...indented(fixed)]),
  ]
}

function indented(text: string): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map(line => (line === '' ? '' : `  ${line}`))
}

export function renderCodes({ explanations }: Explained, style: Style): string[] {
  const columns = [{ title: 'Code' }, { title: 'Meaning' }]
  const rows = explanations.map(({ code, means }) => [code, plain(means)])
  const keys = 'The keys of files are explained too: svc explain contract, svc explain ingest.auth.'
  return [...renderTable(columns, rows, style), '', ...wrap(keys, style.width)]
}
