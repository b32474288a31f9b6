/** The blocks of an asset file as plain data, as they are written (interface.md 2.8): without credentials. */
import type { Asset, Node } from '@svc/server/language'

/** Values of these keys may be secrets, whatever they hold. `env:NAME` is only a name and stays. */
const secretKeys = new Set(['credentials', 'token', 'password', 'value', 'client_secret', 'authorization'])

/** Top-level keys in the file's order. */
export function blocksOf(asset: Asset): Readonly<Record<string, unknown>> {
  const { tree } = asset
  if (tree?.kind !== 'map') return {}
  return Object.fromEntries(
    tree.entries.map(entry => [
      String(entry.key.value),
      plainValue(entry.value, String(entry.key.value), false),
    ]),
  )
}

function plainValue(node: Node | undefined, key: string, inAuth: boolean): unknown {
  if (node === undefined) return null
  if (node.kind === 'scalar') return isSecret(node.value, key, inAuth) ? '***' : node.value
  if (node.kind === 'sequence') return node.items.map(item => plainValue(item, key, inAuth))
  const nested = inAuth || key === 'auth' || key === 'headers'
  return Object.fromEntries(
    node.entries.map(entry => [
      String(entry.key.value),
      plainValue(entry.value, String(entry.key.value), nested),
    ]),
  )
}

function isSecret(value: unknown, key: string, inAuth: boolean): boolean {
  if (typeof value !== 'string' || value.startsWith('env:')) return false
  return key === 'credentials' || (inAuth && secretKeys.has(key.toLowerCase()))
}
