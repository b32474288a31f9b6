/** Renders what a language model says about an asset. */
import type { Explanation, Review } from '../engine/ai/explain.ts'
import type { Style } from './style.ts'
import { plain, wrapBehind } from './width.ts'

export function renderExplanation(name: string, explanation: Explanation, style: Style): string[] {
  const { prose } = explanation
  if (prose !== undefined) return [style.bold(name), '', ...paragraphs(plain(prose), style)]
  const parts: readonly (readonly [string, string])[] = [
    ['What it takes in', explanation.ingested],
    ['What it does', explanation.transformation],
    ['What comes out', explanation.output],
    ['What it depends on', explanation.dependencies],
    ['What it is for', explanation.purpose],
  ]
  return [
    style.bold(name),
    ...parts.flatMap(([title, text]) => ['', style.bold(title), ...paragraphs(text, style)]),
  ]
}

export function renderReview(name: string, review: Review, style: Style): string[] {
  const parts = [
    ['Performance', review.performance],
    ['Data quality', review.data_quality],
    ['Glossary', review.glossary],
    ['Practice', review.practice],
  ] as const
  return [
    style.bold(name),
    ...parts.flatMap(([title, findings]) => [
      '',
      style.bold(title),
      ...(findings.length === 0 ? ['  nothing found'] : findings.flatMap(each => findingLines(each, style))),
    ]),
    ...(review.improvements.length === 0 ? [] : ['', style.bold('What to do')]),
    ...review.improvements.flatMap((text, index) => item(`${index + 1}.`, text, style)),
  ]
}

function findingLines(finding: Review['performance'][number], style: Style): string[] {
  return [
    ...item(`${finding.severity}:`, finding.what, style),
    ...[finding.why, finding.suggestion]
      .filter(text => text.trim() !== '')
      .flatMap(text => wrapBehind('    ', text.trim(), style.width)),
  ]
}

function item(mark: string, text: string, style: Style): string[] {
  return wrapBehind('  ', `${mark} ${text}`.trim(), style.width)
}

function paragraphs(text: string, style: Style): string[] {
  return text.split('\n').flatMap(line => wrapBehind('  ', line.trim(), style.width))
}
