/**
 * A language model of a few kilobytes for Transformers.js, made of nothing: each of its tokens is a piece of one text, and
 * a table of weights says that the next piece follows. Whatever it is asked, it answers with that text.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const special = ['<unk>', '<eos>', '<start>']
const [unknown, end, start] = [0, 1, 2]
const pieceLength = 12

/** Writes the files of a model into a folder, as the hub of models has them. */
export function writeTinyModel(folder: string, answer: string): void {
  const pieces = answer.match(new RegExp(`[^]{1,${pieceLength}}`, 'g')) ?? []
  const words = [...special, ...pieces]
  if (new Set(words).size !== words.length) throw new Error('every piece of the answer has to be another one')
  mkdirSync(join(folder, 'onnx'), { recursive: true })
  writeFileSync(join(folder, 'onnx', 'model.onnx'), onnxModel(weightsOf(words.length), words.length))
  const files = {
    'config.json': {
      model_type: 'gpt2',
      architectures: ['GPT2LMHeadModel'],
      vocab_size: words.length,
      ...{ n_embd: 4, n_head: 1, n_layer: 1, n_positions: 100_000 },
      'transformers.js_config': { dtype: 'fp32' },
    },
    'generation_config.json': { bos_token_id: start, eos_token_id: end },
    'tokenizer_config.json': {
      tokenizer_class: 'PreTrainedTokenizerFast',
      unk_token: special[unknown],
      eos_token: special[end],
      model_max_length: 100_000,
      chat_template: "{% for message in messages %}{{ message['content'] }} {% endfor %}<start>",
    },
    'tokenizer.json': tokenizerOf(words),
  }
  for (const [name, value] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(value))
}

/** Row t has its weight at the token that follows t. */
function weightsOf(count: number): Float32Array {
  const weights = new Float32Array(count * count)
  for (let token = 0; token < count; token++) {
    const next = token < special.length ? special.length : token + 1 < count ? token + 1 : end
    weights[token * count + next] = 10
  }
  return weights
}

function tokenizerOf(words: readonly string[]): object {
  const flags = { single_word: false, lstrip: false, rstrip: false, normalized: false, special: true }
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: special.map((content, id) => ({ id, content, ...flags })),
    normalizer: null,
    pre_tokenizer: { type: 'WhitespaceSplit' },
    post_processor: null,
    decoder: { type: 'Fuse' },
    model: {
      type: 'WordLevel',
      vocab: Object.fromEntries(words.map((word, id) => [word, id])),
      unk_token: special[unknown],
    },
  }
}

/** ONNX is a message of protobuf: `logits = Gather(weights, input_ids)`. The numbers are those of onnx.proto. */
function onnxModel(weights: Float32Array, count: number): Buffer {
  const [float, int64] = [1, 7]
  const node = [bytes(1, 'weights'), bytes(1, 'input_ids'), bytes(2, 'logits'), bytes(4, 'Gather')]
  const data = Buffer.from(weights.buffer)
  const table = [number(1, count), number(1, count), number(2, float), bytes(8, 'weights'), bytes(9, data)]
  const graph = [
    bytes(1, Buffer.concat(node)),
    bytes(2, 'tiny'),
    bytes(5, Buffer.concat(table)),
    bytes(11, tensorNamed('input_ids', int64, ['batch', 'length'])),
    bytes(12, tensorNamed('logits', float, ['batch', 'length', count])),
  ]
  const operators = number(2, 13)
  return Buffer.concat([number(1, 8), bytes(7, Buffer.concat(graph)), bytes(8, operators)])
}

function tensorNamed(name: string, type: number, shape: readonly (string | number)[]): Buffer {
  const dimensions = shape.map(each => bytes(1, typeof each === 'number' ? number(1, each) : bytes(2, each)))
  const tensor = Buffer.concat([number(1, type), bytes(2, Buffer.concat(dimensions))])
  return Buffer.concat([bytes(1, name), bytes(2, bytes(1, tensor))])
}

function number(field: number, value: number): Buffer {
  return Buffer.concat([varint(field << 3), varint(value)])
}

function bytes(field: number, content: string | Buffer): Buffer {
  const whole = Buffer.from(content)
  return Buffer.concat([varint((field << 3) | 2), varint(whole.length), whole])
}

function varint(value: number): Buffer {
  const digits = []
  let rest = value
  for (; rest > 127; rest >>>= 7) digits.push((rest & 127) | 128)
  return Buffer.from([...digits, rest])
}
