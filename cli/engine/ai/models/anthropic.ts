/** Anthropic. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { hostedModel, reached } from './hosted.ts'
import type { LanguageModel, ModelPlace } from './model.ts'

export function openModel(place: ModelPlace): LanguageModel {
  return hostedModel(createAnthropic(reached(place))(place.model))
}
