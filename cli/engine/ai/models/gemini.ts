/** Google Gemini. */
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { hostedModel, reached } from './hosted.ts'
import type { LanguageModel, ModelPlace } from './model.ts'

export function openModel(place: ModelPlace): LanguageModel {
  return hostedModel(createGoogleGenerativeAI(reached(place))(place.model))
}
