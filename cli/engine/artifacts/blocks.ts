/**
 * The blocks of an asset file as plain data, as they are written, without credentials (interface.md 2.8) and without
 * the values of rows that stand in the file: those may be of persons, and what marks them may change later.
 */
import {
  type Asset,
  findCredentials,
  isBrokenYaml,
  type Node,
  type Range,
  redact,
  redacted,
  type ScalarNode,
} from '@svc/server/language'

/** Returns the top-level keys in the file's order. */
export function blocksOf(asset: Asset): Readonly<Record<string, unknown>> {
  const { text, tree } = asset
  if (tree?.kind !== 'map') return {}
  const ranges = findCredentials(text, tree, isBrokenYaml(asset.diagnostics)).map(({ range }) => range)
  const secrets = { ranges, texts: ranges.map(({ start, end }) => text.slice(start, end)) }
  const blocks = plainValue(tree, secrets) as Readonly<Record<string, unknown>>
  const ingest = blocks['ingest'] as Readonly<Record<string, unknown>> | null | undefined
  if (typeof ingest !== 'object' || ingest === null || !('rows' in ingest)) return blocks
  return { ...blocks, ingest: { ...ingest, rows: hiddenValues(ingest['rows']) } }
}

interface Secrets {
  readonly ranges: readonly Range[]
  readonly texts: readonly string[]
}

function plainValue(node: Node | undefined, secrets: Secrets): unknown {
  if (node === undefined) return null
  if (node.kind === 'sequence') return node.items.map(item => plainValue(item, secrets))
  if (node.kind === 'scalar') return withoutSecrets(node, secrets)
  return Object.fromEntries(
    // In a broken file even a key may contain a secret.
    node.entries.map(({ key, value }) => [String(withoutSecrets(key, secrets)), plainValue(value, secrets)]),
  )
}

/** Names of columns stay, and how many rows there are. */
function hiddenValues(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hiddenValues)
  if (typeof value !== 'object') return redacted
  if (value === null) return null
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, hiddenValues(each)]))
}

/** Returns the value with detected credentials hidden. `env:NAME` is only a name and is kept. */
function withoutSecrets({ range, value }: ScalarNode, { ranges, texts }: Secrets): unknown {
  const inside = ranges.filter(secret => range.start < secret.end && secret.start < range.end)
  if (inside.length === 0) return value
  const hidden = redact(String(value), texts)
  // A folded value may not contain its secret literally, so the whole value is hidden.
  return hidden === String(value) ? redacted : hidden
}
