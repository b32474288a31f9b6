/** The providers; each is loaded when it is used. */
import type { Answerer } from '../settings.ts'
import type { LanguageModel, ModelPlace } from './model.ts'

interface ProviderModule {
  openModel(place: ModelPlace): LanguageModel
}

const providers: Readonly<Record<Answerer, () => Promise<ProviderModule>>> = {
  openai: () => import('./openai.ts'),
  anthropic: () => import('./anthropic.ts'),
  gemini: () => import('./gemini.ts'),
  ollama: () => import('./ollama.ts'),
  transformers: () => import('./transformers.ts'),
  editor: () => import('./editor.ts'),
}

export async function openModel(provider: Answerer, place: ModelPlace): Promise<LanguageModel> {
  return (await providers[provider]()).openModel(place)
}
