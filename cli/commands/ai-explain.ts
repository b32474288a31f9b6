/** `svc ai explain | review`: what a language model says about an asset (interface.md 4.4). */
import type { AskAbout } from '../engine/ai/explain.ts'
import type { Style } from '../render/style.ts'
import { type Command, type CommandContext, jsonOption, type Report } from './command.ts'
import { assetArgument, assetNamed } from './nearest-asset.ts'

const help = {
  arguments: [assetArgument],
  options: [jsonOption],
  exitCodes: {
    0: 'answered',
    1: 'the file cannot be parsed, or the answer does not hold',
    2: 'wrong usage, no project, unknown asset, or no model configured',
    3: 'the provider failed or refused',
  },
}

export const aiExplainCommand: Command = {
  ...help,
  name: 'ai explain',
  brief: 'what an asset does, in words',
  summary: 'Let a language model explain an asset: source, SQL, columns, dependencies and purpose.',
  examples: [
    { line: 'svc ai explain daily_sales', says: 'for people' },
    { line: 'svc ai explain daily_sales --json', says: 'for programs' },
  ],
  async run(context) {
    const { explainAsset } = await import('../engine/ai/explain.ts')
    const { renderExplanation } = await import('../render/ai-answers.ts')
    return answered(context, explainAsset, renderExplanation, 'explanation')
  },
}

export const aiReviewCommand: Command = {
  ...help,
  name: 'ai review',
  brief: 'what a strict colleague would say',
  summary: 'Let a language model review an asset: performance, data quality, glossary and practice.',
  examples: [
    { line: 'svc ai review daily_sales', says: 'for people' },
    { line: 'svc ai review daily_sales --json', says: 'for programs' },
  ],
  async run(context) {
    const { reviewAsset } = await import('../engine/ai/explain.ts')
    const { renderReview } = await import('../render/ai-answers.ts')
    return answered(context, reviewAsset, renderReview, 'review')
  },
}

async function answered<T>(
  context: CommandContext,
  ask: AskAbout<T>,
  render: (name: string, value: T, style: Style) => string[],
  key: string,
): Promise<Report> {
  const workspace = await context.openWorkspace({ isOnlyInside: true })
  const name = assetNamed(workspace, context.arguments[0] ?? '')
  const { askModel } = await import('./ask-model.ts')
  const { value, answeredBy } = await askModel(context, workspace, asking => ask(workspace, name, asking))
  return {
    exitCode: 0,
    text: style => render(name, value, style),
    json: { asset: name, [key]: value, answered_by: answeredBy },
  }
}
