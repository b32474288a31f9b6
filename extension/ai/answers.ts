/** What a language model says of an asset, as Markdown. Independent of the editor. */
import type { JsonOf } from '@svc/server/contract'

type Explained = JsonOf<'ai-explain'>
type Reviewed = JsonOf<'ai-review'>

/** `answer` is that of `svc ai explain` or `svc ai review`. */
export function answerText(verb: 'explain' | 'review', answer: unknown): string {
  return verb === 'explain' ? explanationText(answer as Explained) : reviewText(answer as Reviewed)
}

export function explanationText({ asset, explanation, answered_by }: Explained): string {
  if (explanation.prose !== undefined)
    return [`# ${plain(asset)}`, plain(explanation.prose), answeredBy(answered_by)].join('\n\n')
  const parts = [
    ['What it takes in', explanation.ingested],
    ['What it does', explanation.transformation],
    ['What comes out', explanation.output],
    ['What it depends on', explanation.dependencies],
    ['What it is for', explanation.purpose],
  ] as const
  return [
    `# ${plain(asset)}`,
    ...parts.flatMap(([title, text]) => [`**${title}**`, plain(text)]),
    answeredBy(answered_by),
  ].join('\n\n')
}

export function reviewText({ asset, review, answered_by }: Reviewed): string {
  const parts = [
    ['Performance', review.performance],
    ['Data quality', review.data_quality],
    ['Glossary', review.glossary],
    ['Practice', review.practice],
  ] as const
  const improvements = review.improvements.map((text, index) => `${index + 1}. ${plain(text)}`)
  return [
    `# ${plain(asset)}`,
    ...parts.flatMap(([title, findings]) => [
      `**${title}**`,
      findings.length === 0 ? 'Nothing found.' : findings.map(findingText).join('\n'),
    ]),
    ...(improvements.length === 0 ? [] : ['**What to do**', improvements.join('\n')]),
    answeredBy(answered_by),
  ].join('\n\n')
}

function findingText({ severity, what, why, suggestion }: Reviewed['review']['performance'][number]): string {
  const rest = [why, suggestion].filter(text => text.trim() !== '').map(text => ` ${plain(text)}`)
  return `- ${severity}: **${plain(what)}**${rest.join('')}`
}

function answeredBy({ provider, model }: Explained['answered_by']): string {
  return `*${plain(provider === 'editor' ? model : `${provider} ${model}`)} says so. Nothing was changed.*`
}

/** An answer may carry what data told the model to say: nothing in it is loaded from elsewhere, as an image would be. */
export function plain(text: string): string {
  return text
    .trim()
    .replaceAll('<', '&lt;')
    .replace(/!(?=\[)/g, '\\!')
}
