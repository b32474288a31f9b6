/** The blocks of an asset file as plain data, as they are written (interface.md 2.8): without credentials. */
import {
  type Asset,
  findCredentials,
  type Node,
  type Range,
  redact,
  type ScalarNode,
} from '@svc/server/language'

/** Top-level keys in the file's order. */
export function blocksOf(asset: Asset): Readonly<Record<string, unknown>> {
  const { text, tree } = asset
  if (tree?.kind !== 'map') return {}
  const secrets = findCredentials(text, tree).map(({ range }) => range)
  return plainValue(text, tree, secrets) as Readonly<Record<string, unknown>>
}

function plainValue(text: string, node: Node | undefined, secrets: readonly Range[]): unknown {
  if (node === undefined) return null
  if (node.kind === 'sequence') return node.items.map(item => plainValue(text, item, secrets))
  if (node.kind === 'scalar') return withoutSecrets(text, node, secrets)
  return Object.fromEntries(
    node.entries.map(entry => [String(entry.key.value), plainValue(text, entry.value, secrets)]),
  )
}

/** The value, with what the file's check of credentials found in it hidden. `env:NAME` is only a name and stays. */
function withoutSecrets(text: string, { range, value }: ScalarNode, secrets: readonly Range[]): unknown {
  const inside = secrets.filter(secret => range.start <= secret.start && secret.end <= range.end)
  if (inside.length === 0) return value
  return redact(
    String(value),
    inside.map(secret => text.slice(secret.start, secret.end)),
  )
}
