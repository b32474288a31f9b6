/** Renders who answered and what it took. */
import type { JsonOf } from '@svc/server/contract'
import type { Checked } from '../engine/ai/ask-for-value.ts'
import type { ModelChoice } from '../engine/ai/settings.ts'
import { countOf } from './numbers.ts'

export function answeredBy(
  choice: ModelChoice,
  checked: Checked<unknown>,
): JsonOf<'ai-explain'>['answered_by'] {
  return {
    provider: choice.provider,
    model: choice.model,
    tries: checked.tries,
    input_tokens: checked.inputTokens ?? null,
    output_tokens: checked.outputTokens ?? null,
    cost: costOf(choice, checked) ?? null,
  }
}

/** `openai gpt-x: 1 answer, 1204 tokens in, 310 out, cost 0.0123` */
export function costLine(choice: ModelChoice, checked: Checked<unknown>): string {
  const { inputTokens, outputTokens, tries } = checked
  const tokens =
    inputTokens === undefined || outputTokens === undefined
      ? 'the provider does not say how many tokens'
      : `${inputTokens} tokens in, ${outputTokens} out`
  const cost = costOf(choice, checked)
  const price = cost === undefined ? '' : `, cost ${cost.toFixed(4)}`
  return `${choice.provider} ${choice.model}: ${countOf(tries, 'answer')}, ${tokens}${price}`
}

const million = 1_000_000

/** Undefined without `ai.price`: svc knows no price list. */
function costOf({ price }: ModelChoice, { inputTokens, outputTokens }: Checked<unknown>): number | undefined {
  if (price === undefined || inputTokens === undefined || outputTokens === undefined) return undefined
  return (inputTokens * price.input + outputTokens * price.output) / million
}
