/** Defines the key `ai` of `svc.yaml`, and of the file in the user's home, which may hold a key as it is (decisions 3). */
import { credentialFormat } from './formats.ts'
import {
  choice,
  duration,
  formatted,
  type KeyParts,
  type NumberShape,
  type ObjectShape,
  object,
  type TextFormat,
  text,
} from './shape.ts'

const provider: KeyParts = {
  doc: 'Who answers.',
  shape: choice({
    openai: 'OpenAI, and every service that speaks its chat completions.',
    anthropic: 'Anthropic.',
    gemini: 'Google Gemini.',
    ollama: 'Ollama, on this machine; needs no key.',
    transformers: 'Hugging Face Transformers.js, in the process of svc; needs no key.',
  }),
}

const endpointFormat: TextFormat = {
  pattern: /^https?:\/\/[^\s/@]+(\/\S*)?$/,
  rule: 'the endpoint of a provider begins with https:// or http:// and holds no password',
}

/** The project's file is shared with others. */
const keyReferenceFormat: TextFormat = {
  pattern: /^env:[A-Za-z_]\w*$/,
  rule: 'in svc.yaml a key is env:NAME, because others read the file',
  hint: 'svc config ai --api-key <key> keeps a key in ~/.svc/config, which only you can read.',
}

const price: NumberShape = { kind: 'number', whole: false, min: 0 }

function aiKey(keyFormat: TextFormat): KeyParts {
  return {
    doc: 'The language model of svc ai.',
    default: {},
    shape: object({
      provider,
      model: { names: 'text', doc: "The model, by the provider's name for it.", shape: text },
      api_key: {
        names: 'secret',
        doc: 'The key of the provider, as env:NAME.',
        defaultDoc: 'env:OPENAI_API_KEY, env:ANTHROPIC_API_KEY or env:GEMINI_API_KEY',
        shape: formatted(keyFormat),
      },
      endpoint: {
        names: 'address',
        doc: 'Another address of the provider, such as a gateway.',
        defaultDoc: "the provider's own",
        shape: formatted(endpointFormat),
      },
      timeout: {
        doc: 'How long a model may be silent.',
        defaultDoc: '120s',
        shape: duration,
        property: 'timeoutMs',
      },
      price: {
        doc: 'Prices of a million tokens, for the line about costs; svc knows no price list.',
        shape: object({
          input: { doc: 'What is sent.', shape: price, required: true },
          output: { doc: 'What is answered.', shape: price, required: true },
        }),
      },
    }),
  }
}

export const projectAiKey: KeyParts = aiKey(keyReferenceFormat)

/** The shape of `~/.svc/config`. */
export const globalShape: ObjectShape = object({ ai: aiKey(credentialFormat) })
