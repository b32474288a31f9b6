/** Renders what a code means, with an example and its correction. */
import type { JsonOf } from '@svc/server/contract'
import type { Style } from './style.ts'
import { renderTable } from './table.ts'
import { wrap } from './width.ts'

/**
 * `severity` is that of a diagnostic, or the exit code of an error; `means` and `fix` are Markdown. The first file of
 * an example has the problem, and `fixed` is that file without it.
 */
export type Explanation = JsonOf<'explain'>['explanations'][number]

export function renderExplanations(explanations: readonly Explanation[], style: Style): string[] {
  return explanations.flatMap((each, index) => [...(index === 0 ? [] : ['']), ...renderOne(each, style)])
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

/** Backticks mean nothing in a terminal. */
function plain(markdown: string): string {
  return markdown.replaceAll('`', '')
}

function indented(text: string): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map(line => (line === '' ? '' : `  ${line}`))
}

export function renderCodes(explanations: readonly Explanation[], style: Style): string[] {
  const columns = [{ title: 'Code' }, { title: 'Meaning' }]
  return renderTable(
    columns,
    explanations.map(({ code, means }) => [code, plain(means)]),
    style,
  )
}
