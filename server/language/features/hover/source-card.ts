/** The hover cards of an asset's source, of a variable and of a table's columns. */
import type { Asset } from '../../project/project.ts'
import type { Knowledge } from '../knowledge.ts'
import { sourceColumns } from '../known-columns.ts'
import { asCode, asCodeCell, counted, paragraphs, table } from '../markdown.ts'
import { shownValue, variableByEnvironment } from '../variables.ts'

export function sourceCard(knowledge: Knowledge, asset: Asset, child: string | undefined): string {
  const { ingest } = asset.definition
  if (ingest.type === 'none') return `${asCode(asset.name)} has no source: ${asCode('ingest: none')}.`
  const what =
    child === undefined
      ? `The source of ${asCode(asset.name)}`
      : `The list ${asCode(child)} of the source of ${asCode(asset.name)}`
  const where =
    'endpoint' in ingest
      ? ` · ${ingest.type} ${asCode(sourceAddress({ ...ingest, resource: ingest.resource ?? 'a query' }))}`
      : ` · ${ingest.type}`
  const tables = knowledge.sources.get(asset.name)
  const columns = sourceColumns(knowledge, asset, child)
  if (columns.length === 0) {
    return `${what}${where}\n\n*Its columns are not known yet: ${asCode(`svc run ${asset.name}`)} loads it, ${asCode('contract.columns')} can tell them.*`
  }
  const rows = columns
    .slice(0, 40)
    .map(({ name, type, path }) => [
      asCodeCell(name),
      type === undefined ? '?' : asCodeCell(type),
      path.join('.') === name ? '' : asCodeCell(path.join('.')),
    ])
  const lists = (tables ?? []).flatMap(each =>
    child === undefined && each.child !== undefined ? [asCode(each.child)] : [],
  )
  return paragraphs([
    `${what}${where}`,
    table(['column', 'type', 'at the source'], rows),
    columns.length > 40 ? `*and ${counted(columns.length - 40, 'column')} more*` : '',
    lists.length === 0 ? '' : `Lists in it: ${lists.join(', ')}`,
  ])
}

/** Returns endpoint and resource as one path: `data/orders.ndjson`, `https://api.example.com/orders`. */
function sourceAddress(ingest: { readonly endpoint: string; readonly resource: string }): string {
  const endpoint = withoutSecrets(ingest.endpoint)
    .replace(/^(\.\/+)+/, '')
    .replace(/\/+$/, '')
  const resource = ingest.resource.replace(/^(\.\/+)+/, '')
  const isHere = endpoint === '' || endpoint === '.'
  return isHere && !ingest.endpoint.startsWith('/') ? resource : `${endpoint}/${resource.replace(/^\/+/, '')}`
}

/** Removes user information and the query string, which may contain secrets. */
function withoutSecrets(endpoint: string): string {
  return endpoint.replace(/\/\/[^/@]*@/, '//').replace(/[?#].*$/, '')
}

export function variableCard({ project }: Knowledge, name: string): string {
  const { vars } = project.settings
  const byEnvironment = variableByEnvironment(project.settings, name)
  if (!Object.hasOwn(vars, name) && byEnvironment.length === 0)
    return `There is no variable ${asCode(name)}: ${asCode('vars')} in ${asCode('svc.yaml')} has none of that name.`
  const rows = [
    ...(Object.hasOwn(vars, name) ? [['everywhere else', asCodeCell(shownValue(vars[name]))]] : []),
    ...byEnvironment.map(([environment, value]) => [asCodeCell(environment), asCodeCell(value)]),
  ]
  if (byEnvironment.length === 0) return `Variable ${asCode(name)} = ${asCode(shownValue(vars[name]))}`
  return `Variable ${asCode(name)}\n\n${table(['environment', 'value'], [...rows.slice(1), ...rows.slice(0, 1)])}`
}
