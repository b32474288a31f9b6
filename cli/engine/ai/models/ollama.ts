/** Ollama, the runner of models on this machine. */
import { type ChatResponse, Ollama } from 'ollama'
import {
  type Answer,
  type AskOptions,
  brokenOff,
  type LanguageModel,
  type ModelPlace,
  messagesOf,
  type Question,
} from './model.ts'

const usualEndpoint = 'http://127.0.0.1:11434'

/** Ollama cuts what is longer than its window without a word, so the window is made to fit; in steps, since each size is a load. */
const windowStep = 8192
const bytesPerToken = 3

export function openModel({ model, key, endpoint = usualEndpoint, fetch }: ModelPlace): LanguageModel {
  return {
    address: endpoint,
    async ask(question, { signal, onText }) {
      const client = new Ollama({
        host: endpoint,
        ...(key !== undefined && { headers: { authorization: `Bearer ${key}` } }),
        fetch: (input, init) => fetch(input, { ...init, signal }),
      })
      const parts = await client.chat({
        model,
        stream: true,
        format: 'json',
        messages: messagesOf(question),
        options: { num_predict: question.mostTokens, num_ctx: windowFor(question) },
      })
      return collected(parts, onText)
    },
  }
}

/** Once it has begun, whatever goes wrong in the stream may go right the next time. */
async function collected(parts: AsyncIterable<ChatResponse>, onText: AskOptions['onText']): Promise<Answer> {
  const pieces: string[] = []
  try {
    for await (const part of parts) {
      pieces.push(part.message.content)
      onText(part.message.content)
      if (part.done) return answerOf(pieces.join(''), part)
    }
  } catch (cause) {
    throw brokenOff(cause)
  }
  throw brokenOff()
}

function windowFor({ system, turns, mostTokens }: Question): number {
  const bytes = turns.reduce((sum, { text }) => sum + Buffer.byteLength(text), Buffer.byteLength(system))
  return Math.ceil((bytes / bytesPerToken + mostTokens) / windowStep) * windowStep
}

function answerOf(text: string, last: ChatResponse): Answer {
  return {
    text,
    end: last.done_reason === 'length' ? 'cut' : 'whole',
    inputTokens: last.prompt_eval_count,
    outputTokens: last.eval_count,
  }
}
