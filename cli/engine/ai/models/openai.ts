/** OpenAI, and services that speak its chat completions. */
import { createOpenAI } from '@ai-sdk/openai'
import { hostedModel } from './hosted.ts'
import type { LanguageModel, ModelPlace } from './model.ts'

export function openModel({ model, key, endpoint, fetch }: ModelPlace): LanguageModel {
  const openai = createOpenAI({
    fetch,
    ...(key !== undefined && { apiKey: key }),
    ...(endpoint !== undefined && { baseURL: endpoint }),
  })
  // Gateways and local servers speak chat completions, few the newer responses.
  return hostedModel(openai.chat(model))
}
