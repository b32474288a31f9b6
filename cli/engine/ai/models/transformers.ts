/**
 * Transformers.js: a model in the process of svc. Its library is large and has native parts, so it is an optional peer that
 * only those install who use it. It is looked for beside svc alone, never in a project.
 */
import { SvcError } from '../../errors.ts'
import { type LanguageModel, type ModelPlace, messagesOf } from './model.ts'

const library = '@huggingface/transformers'

/** The part of the library that is needed here. */
interface Library {
  readonly env: { allowRemoteModels: boolean; remoteHost: string }
  pipeline(task: 'text-generation', model: string, options: object): Promise<Generator>
  readonly TextStreamer: new (tokenizer: Tokenizer, options: object) => object
  readonly InterruptableStoppingCriteria: new () => { interrupt(): void }
}

interface Tokenizer {
  encode(text: string): readonly number[]
}

interface Generator {
  (
    messages: readonly Message[],
    options: object,
  ): Promise<readonly { readonly generated_text: readonly Message[] }[]>
  readonly tokenizer: Tokenizer
}

interface Message {
  readonly role: string
  readonly content: string
}

export function openModel({ model, endpoint }: ModelPlace): LanguageModel {
  return {
    async ask(question, { signal, onText }) {
      const loaded = await loadLibrary()
      if (endpoint !== undefined) loaded.env.remoteHost = endpoint
      const generate = await loaded.pipeline('text-generation', model, {
        progress_callback: () => onText(''),
      })
      const stopping = new loaded.InterruptableStoppingCriteria()
      signal.addEventListener('abort', () => stopping.interrupt())
      const options = { skip_prompt: true, skip_special_tokens: true, callback_function: onText }
      const streamer = new loaded.TextStreamer(generate.tokenizer, options)
      const messages = messagesOf(question)
      const [answer] = await generate(messages, {
        max_new_tokens: question.mostTokens,
        do_sample: false,
        streamer,
        stopping_criteria: stopping,
      })
      signal.throwIfAborted()
      const text = answer?.generated_text.at(-1)?.content ?? ''
      const count = (words: string) => generate.tokenizer.encode(words).length
      const outputTokens = count(text)
      return {
        text,
        end: outputTokens >= question.mostTokens ? 'cut' : 'whole',
        inputTokens: messages.reduce((sum, { content }) => sum + count(content), 0),
        outputTokens,
      }
    },
  }
}

async function loadLibrary(): Promise<Library> {
  try {
    // The name is no literal, so that neither types nor bundle ask for a package that need not be there.
    return (await import(library)) as Library
  } catch (cause) {
    throw new SvcError('model-library-missing', `the provider transformers needs the package ${library}`, {
      hint: `Install it where svc is: npm install ${library}; or choose another provider.`,
      cause,
    })
  }
}
