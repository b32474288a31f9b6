/** Google Gemini. */
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { hostedModel } from './hosted.ts'
import type { LanguageModel, ModelPlace } from './model.ts'

export function openModel({ model, key, endpoint, fetch }: ModelPlace): LanguageModel {
  const gemini = createGoogleGenerativeAI({
    fetch,
    ...(key !== undefined && { apiKey: key }),
    ...(endpoint !== undefined && { baseURL: endpoint }),
  })
  return hostedModel(gemini(model))
}
