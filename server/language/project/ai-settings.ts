/**
 * The settings of the language model in `svc.yaml` and in the file of the user's home: read, and edited so that
 * comments and all other keys stay.
 */
import { globalShape } from '../schema/ai-schema.ts'
import type { Reading } from '../schema/read-value.ts'
import { parseYaml } from '../syntax/yaml.ts'
import { nodeAt } from './locate.ts'
import type { AiSettings } from './project.ts'
import { diagnosticsOf, readMapping } from './read-yaml.ts'
import { addBlock, addEntry, applied, isFlow, removeAt, yamlScalar, yamlText } from './yaml-edits.ts'

/** The keys that `svc config ai` sets, as the files name them. */
export type AiChanges = Readonly<
  Partial<Record<'provider' | 'model' | 'api_key' | 'endpoint', string | undefined>>
>

/** Parses the text of the file in the user's home; it never throws. */
export function parseGlobalSettings(text: string, path: string) {
  const { root, problems } = parseYaml(text)
  const reading: Reading = { text, problems: [...problems] }
  const values = readMapping(reading, root, globalShape, 'it is a mapping with the key "ai"')
  return { ai: (values?.['ai'] as AiSettings | undefined) ?? {}, diagnostics: diagnosticsOf(reading, path) }
}

/**
 * Returns the file's text with these settings. Those of another provider go: its model, key and address mean
 * nothing to the new one.
 */
export function withAiSettings(text: string | undefined, changes: AiChanges): string {
  const written = Object.entries(changes).filter((pair): pair is [string, string] => pair[1] !== undefined)
  let result = text ?? ''
  if (nodeAt(parseYaml(result).root, ['ai'])?.kind !== 'map') {
    // What stands there is empty, or no mapping at all.
    result = applied(result, removeAt(yamlText(result), ['ai']))
    const lines = written.map(([key, value]) => `  ${key}: ${yamlScalar(value)}`)
    return applied(result, addBlock(yamlText(result), ['ai:', ...lines], ['ai']))
  }
  const before = providerIn(result)
  if (changes.provider !== undefined && before !== changes.provider) {
    for (const key of ['model', 'api_key', 'endpoint', 'price']) result = withoutEntry(result, ['ai', key])
  }
  for (const [key, value] of written) result = withEntry(result, key, value)
  return result
}

function providerIn(text: string): string | undefined {
  const node = nodeAt(parseYaml(text).root, ['ai', 'provider'])
  return node?.kind === 'scalar' ? String(node.value) : undefined
}

function withEntry(text: string, key: string, value: string): string {
  const file = yamlText(text)
  const node = nodeAt(file.tree, ['ai', key])
  const parent = nodeAt(file.tree, ['ai'])
  const isInFlow = parent !== undefined && isFlow(file, parent)
  const newText = isInFlow ? JSON.stringify(value) : yamlScalar(value)
  const edit = node === undefined ? addEntry(file, ['ai'], key, newText) : { range: node.range, newText }
  return applied(text, edit)
}

function withoutEntry(text: string, path: readonly string[]): string {
  const file = yamlText(text)
  return nodeAt(file.tree, path) === undefined ? text : applied(text, removeAt(file, path))
}
