/** Asks through the provider libraries of the AI SDK, which bring the streams of hosted providers into one form. */
import type { LanguageModelV3, LanguageModelV3Prompt, LanguageModelV3StreamPart } from '@ai-sdk/provider'
import {
  type Answer,
  type AskOptions,
  brokenOff,
  type LanguageModel,
  type ModelPlace,
  type Question,
} from './model.ts'

export function hostedModel(model: LanguageModelV3): LanguageModel {
  return {
    async ask(question, options) {
      const { stream } = await model.doStream({
        prompt: promptOf(question),
        maxOutputTokens: question.mostTokens,
        responseFormat: { type: 'json' },
        abortSignal: options.signal,
      })
      return collected(stream, options)
    },
  }
}

/** How a library of a provider reaches it. */
export function reached({ key, endpoint, fetch }: ModelPlace) {
  return {
    fetch,
    ...(key !== undefined && { apiKey: key }),
    ...(endpoint !== undefined && { baseURL: endpoint }),
  }
}

function promptOf({ system, turns }: Question): LanguageModelV3Prompt {
  return [
    { role: 'system', content: system },
    ...turns.map(({ from, text }): LanguageModelV3Prompt[number] => {
      const content = [{ type: 'text' as const, text }]
      return from === 'user' ? { role: 'user', content } : { role: 'assistant', content }
    }),
  ]
}

async function collected(
  stream: ReadableStream<LanguageModelV3StreamPart>,
  { onText }: AskOptions,
): Promise<Answer> {
  const pieces: string[] = []
  for await (const part of stream) {
    // The question was accepted: whatever goes wrong in the stream may go right the next time.
    if (part.type === 'error') throw brokenOff(part.error)
    if (part.type === 'text-delta') {
      pieces.push(part.delta)
      onText(part.delta)
    }
    // A model that thinks is not silent.
    if (part.type === 'reasoning-delta') onText('')
    if (part.type !== 'finish') continue
    // The libraries also finish a stream that ended before the provider said so.
    if (part.finishReason.raw === undefined) throw brokenOff()
    const { unified } = part.finishReason
    return {
      text: pieces.join(''),
      end: unified === 'length' ? 'cut' : unified === 'content-filter' ? 'refused' : 'whole',
      inputTokens: part.usage.inputTokens.total,
      outputTokens: part.usage.outputTokens.total,
    }
  }
  throw brokenOff()
}
