/** `svc ai explain | review`: what a language model says about an asset (interface.md 4.4). */
import { type Command, jsonOption } from './command.ts'
import { assetNamed } from './nearest-asset.ts'

const assetArgument = { name: 'asset_path', summary: 'the file of an asset, or its name', required: true }

const exitCodes = {
  0: 'answered',
  1: 'the file cannot be parsed, or the answer does not hold',
  2: 'wrong usage, no project, unknown asset, or no model configured',
  3: 'the provider failed or refused',
}

export const aiExplainCommand: Command = {
  name: 'ai explain',
  brief: 'what an asset does, in words',
  summary: 'Let a language model explain an asset: source, SQL, columns, dependencies and purpose.',
  arguments: [assetArgument],
  options: [jsonOption],
  examples: [
    { line: 'svc ai explain daily_sales', says: 'for people' },
    { line: 'svc ai explain daily_sales --json', says: 'for programs' },
  ],
  exitCodes,
  async run(context) {
    const workspace = await context.openWorkspace()
    const name = assetNamed(workspace, context.arguments[0] ?? '')
    const { askModel } = await import('./ask-model.ts')
    const { explainAsset } = await import('../engine/ai/explain.ts')
    const { renderExplanation } = await import('../render/ai-answers.ts')
    const asked = await askModel(context, workspace, asking => explainAsset(workspace, name, asking))
    return {
      exitCode: 0,
      text: style => renderExplanation(name, asked.value, style),
      json: { asset: name, explanation: asked.value, answered_by: asked.answeredBy },
    }
  },
}

export const aiReviewCommand: Command = {
  name: 'ai review',
  brief: 'what a strict colleague would say',
  summary: 'Let a language model review an asset: performance, data quality, glossary and practice.',
  arguments: [assetArgument],
  options: [jsonOption],
  examples: [
    { line: 'svc ai review daily_sales', says: 'for people' },
    { line: 'svc ai review daily_sales --json', says: 'for programs' },
  ],
  exitCodes,
  async run(context) {
    const workspace = await context.openWorkspace()
    const name = assetNamed(workspace, context.arguments[0] ?? '')
    const { askModel } = await import('./ask-model.ts')
    const { reviewAsset } = await import('../engine/ai/explain.ts')
    const { renderReview } = await import('../render/ai-answers.ts')
    const asked = await askModel(context, workspace, asking => reviewAsset(workspace, name, asking))
    return {
      exitCode: 0,
      text: style => renderReview(name, asked.value, style),
      json: { asset: name, review: asked.value, answered_by: asked.answeredBy },
    }
  },
}
