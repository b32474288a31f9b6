/**
 * Finds links in a file: web addresses and the files of a source. Addresses with a secret in them are left
 * out.
 */
import { nodeAt } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import { localFilesOf } from '../sources/index.ts'
import type { Node, ScalarNode } from '../syntax/node.ts'
import type { Range } from '../text/range.ts'
import { findSecrets } from '../text/secret-patterns.ts'
import type { Knowledge } from './knowledge.ts'

export type DocumentLink = { readonly range: Range } & (
  | { readonly kind: 'web'; readonly url: string }
  /** A file or folder with a path relative to the project's root. */
  | { readonly kind: 'file'; readonly path: string }
)

export function documentLinks({ project, glossary }: Knowledge, path: string): readonly DocumentLink[] {
  const asset = project.assets.get(path)
  if (asset !== undefined) return [...webLinks(asset.tree), ...sourceFiles(asset)]
  return path === 'glossary.yaml' ? webLinks(glossary.file?.tree) : []
}

const address = /^https?:\/\/[^\s/]+(\/\S*)?$/

function webLinks(node: Node | undefined): readonly DocumentLink[] {
  if (node?.kind === 'sequence') return node.items.flatMap(webLinks)
  if (node?.kind === 'map') return node.entries.flatMap(({ value }) => webLinks(value))
  if (node?.kind !== 'scalar' || typeof node.value !== 'string' || !address.test(node.value)) return []
  return isSafe(node.value) ? [{ kind: 'web', range: node.bodyRange, url: node.value }] : []
}

/** Returns whether the address has neither credentials nor anything that looks like a token. */
function isSafe(url: string): boolean {
  const [, user] = /^https?:\/\/([^/]*)@/.exec(url) ?? []
  if (user !== undefined || findSecrets(url).length > 0) return false
  return !/[?&#;](access_token|api[_-]?key|apikey|auth|client_secret|key|passw(or)?d|pwd|secret|sig|signature|token)=/i.test(
    url,
  )
}

/** Links the folder, and the file if the resource is no pattern. */
function sourceFiles(asset: Asset): readonly DocumentLink[] {
  const files = localFilesOf(asset.definition.ingest)
  if (files === undefined) return []
  const folder = files.endpoint.replace(/^(\.\/)+/, '').replace(/\/+$/, '')
  if (/^([a-z][a-z0-9+.-]*:|\/|~)|(^|\/)\.\.(\/|$)/i.test(folder)) return []
  const links: DocumentLink[] = []
  const endpoint = scalarAt(asset, ['ingest', 'endpoint'])
  const resource = scalarAt(asset, ['ingest', 'resource'])
  if (endpoint !== undefined && folder !== '')
    links.push({ kind: 'file', range: endpoint.bodyRange, path: folder })
  if (resource !== undefined && !/[*?[\]{}]/.test(files.resource) && !files.resource.includes('..'))
    links.push({
      kind: 'file',
      range: resource.bodyRange,
      path: folder === '' ? files.resource : `${folder}/${files.resource}`,
    })
  return links
}

function scalarAt(asset: Asset, path: readonly string[]): ScalarNode | undefined {
  const node = nodeAt(asset.tree, path)
  return node?.kind === 'scalar' ? node : undefined
}
