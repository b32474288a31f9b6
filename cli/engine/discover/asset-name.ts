/** The name of a new asset. */
import { toSnakeCase } from '@svc/server/language'

/** Returns a valid name of an asset from any text. */
export function assetName(text: string, otherwise: string): string {
  const name = toSnakeCase(text).replace(/^[^a-z_]+/, '')
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : otherwise
}

/** Returns where the file of an asset is written. */
export function pathOf(models: string, name: string): string {
  return `${models.replace(/\/+$/, '')}/${name}.svc`
}
