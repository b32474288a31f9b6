/** The providers; each is loaded when it is used. */
import type { ProviderName } from '../settings.ts'
import type { LanguageModel, ModelPlace } from './model.ts'

interface ProviderModule {
  openModel(place: ModelPlace): LanguageModel
}

const providers: Readonly<Record<ProviderName, () => Promise<ProviderModule>>> = {
  openai: () => import('./openai.ts'),
  anthropic: () => import('./anthropic.ts'),
  gemini: () => import('./gemini.ts'),
  ollama: () => import('./ollama.ts'),
  transformers: () => import('./transformers.ts'),
}

export async function openModel(provider: ProviderName, place: ModelPlace): Promise<LanguageModel> {
  return (await providers[provider]()).openModel(place)
}
