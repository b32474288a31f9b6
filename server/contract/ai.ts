/** The `--json` outputs of `svc config ai` and of the commands that ask a language model. */
import {
  anything,
  count,
  document,
  flag,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  text,
} from './schema.ts'

export const configAiSchema = document(
  'svc config ai --json',
  object({
    saved_to: nullable(text),
    provider: nullable(text),
    model: nullable(text),
    endpoint: nullable(text),
    api_key: object({ from: nullable(text), says: text, is_set: flag }),
  }),
)

/** Who answered, and what it took; a provider may not say the numbers. */
const answeredBy = object({
  provider: text,
  model: text,
  tries: count,
  input_tokens: nullable(count),
  output_tokens: nullable(count),
  cost: nullable(number),
})

const explanationParts = {
  ingested: text,
  transformation: text,
  output: text,
  dependencies: text,
  purpose: text,
}

/** What a model is asked for when it is to explain an asset. */
export const askedExplanation = object(explanationParts)

export const aiExplainSchema = document(
  'svc ai explain --json',
  object({
    asset: text,
    /** `prose`: what the model said in one piece; the parts are empty then. */
    explanation: object({ ...explanationParts, prose: optional(text) }),
    answered_by: answeredBy,
  }),
)

const finding = object({ severity: oneOf('high', 'medium', 'low'), what: text, why: text, suggestion: text })

export const aiReviewSchema = document(
  'svc ai review --json',
  object({
    asset: text,
    review: object({
      performance: list(finding),
      data_quality: list(finding),
      glossary: list(finding),
      practice: list(finding),
      improvements: list(text),
    }),
    answered_by: answeredBy,
  }),
)

/** What a model is asked for when it is to change an asset: operations of JSON Patch on the YAML of its file. */
export const proposedOps = object({
  summary: text,
  ops: list(object({ op: oneOf('add', 'remove', 'replace'), path: text, value: optional(anything) })),
})

/** What a model is asked for when it is to write a new asset: the file as JSON. */
export const proposedAsset = object({ summary: text, asset: anything })
