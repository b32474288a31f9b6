/** OpenAI, and services that speak its chat completions. */
import { createOpenAI } from '@ai-sdk/openai'
import { hostedModel, reached } from './hosted.ts'
import type { LanguageModel, ModelPlace } from './model.ts'

export function openModel(place: ModelPlace): LanguageModel {
  // Gateways and local servers speak chat completions, few the newer responses.
  return hostedModel(createOpenAI(reached(place)).chat(place.model))
}
