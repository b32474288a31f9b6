/** Anthropic. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { hostedModel } from './hosted.ts'
import type { LanguageModel, ModelPlace } from './model.ts'

export function openModel({ model, key, endpoint, fetch }: ModelPlace): LanguageModel {
  const anthropic = createAnthropic({
    fetch,
    ...(key !== undefined && { apiKey: key }),
    ...(endpoint !== undefined && { baseURL: endpoint }),
  })
  return hostedModel(anthropic(model))
}
