/**
 * Compares what the page draws of a column before it goes with what `svc plan` says when it is gone. The page's data are those of
 * `svc run`, drawn as the page draws them.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CatalogFile, ColumnPath, JsonOf } from '../../../server/contract/index.ts'
import { columnPath } from '../../../server/language/lineage/column-path.ts'
import { makeGraphModel } from '../../../webview/graph/model.ts'
import { headRow } from '../../../webview/graph/scene.ts'
import { type GraphInput, makePlaces, makeStage } from '../../../webview/graph/stage.ts'
import { createProjectHere, type ProjectHere } from '../cli-here.ts'
import { type PathCase, sources } from './cases.ts'

export interface PathsLab {
  readonly project: ProjectHere
  /** What `svc run` wrote for the page. */
  readonly catalog: CatalogFile
}

const pathOf = (asset: string) => `models/${asset}.svc`
/** Each case has assets, targets and exposures of its own in one project. */
const own = (index: number, name: string) => `k${index}_${name}`

/** Runs a project with all the cases. */
export async function openPathsLab(cases: readonly PathCase[]): Promise<PathsLab> {
  const targets = cases.map(
    (_, index) => `  ${own(index, 'crm')}: {type: duckdb, endpoint: duckdb:./crm.duckdb, resource: t}`,
  )
  const project = createProjectHere({
    'svc.yaml': `name: paths\nwarehouse: duckdb:./paths.duckdb\ndestinations:\n${targets.join('\n')}\n`,
    ...Object.fromEntries(cases.flatMap((one, index) => filesOf(one, index))),
  })
  const { code, stderr, stdout } = await project.svc(['run', '--all'])
  if (code !== 0) throw new Error(`svc run failed: ${stdout}${stderr}`)
  return { project, catalog: catalogOf(project) }
}

function catalogOf({ root }: ProjectHere): CatalogFile {
  return JSON.parse(readFileSync(join(root, '.svc', 'dev', 'svc_catalog.json'), 'utf8')) as CatalogFile
}

function filesOf({ assets }: PathCase, index: number): (readonly [string, string])[] {
  return [
    ...Object.keys(sources).map(name => [pathOf(own(index, name)), sourceText(index, name)] as const),
    ...Object.entries(assets).map(([name, text]) => {
      const [sql = '', keys = ''] = text.split('\n---\n')
      const refs = sql.replaceAll(/@(\w+)/g, (_, ref: string) => `{{ ref('${own(index, ref)}') }}`)
      const named = keys
        .replaceAll('crm:', `${own(index, 'crm')}:`)
        .replaceAll(/name: (\w+)/g, `name: ${own(index, '$1')}`)
      return [pathOf(own(index, name)), assetText(own(index, name), refs, named)] as const
    }),
  ]
}

function sourceText(index: number, name: string, gone?: string): string {
  const items = Object.entries(sources[name] ?? {}).filter(([column]) => column !== gone)
  return assetText(
    own(index, name),
    `SELECT ${items.map(([column, value]) => `${value} AS ${column}`).join(', ')}`,
  )
}

function assetText(name: string, sql: string, keys = ''): string {
  return `name: ${name}\ningest: none\ntransform: |\n  ${sql}\n${keys}\n`
}

export interface Judged {
  /** What the page draws of the column downstream. */
  readonly drawn: readonly string[]
  /** What the plan says that it reaches. */
  readonly planned: readonly string[]
  /** The assets with places that the plan says break. */
  readonly broken: readonly string[]
}

/** Drops the column of a case in its file, asks for the plan, and puts it back. */
export async function judgePath(
  { project, catalog }: PathsLab,
  one: PathCase,
  index: number,
): Promise<Judged> {
  const [source = '', column = ''] = one.drop.split('.')
  const asset = own(index, source)
  project.write(pathOf(asset), sourceText(index, source, column))
  const { value } = await project.json(['plan', '--json'])
  project.write(pathOf(asset), sourceText(index, source))
  const plan = value as JsonOf<'plan'>
  const change = plan.assets
    .find(({ name }) => name === asset)
    ?.column_changes.find(each => each.kind === 'removed' && each.column === column)
  if (change === undefined)
    throw new Error(`the plan does not say that ${one.drop} goes: ${JSON.stringify(value)}`)
  const short = (text: string) => text.replaceAll(`k${index}_`, '')
  return {
    drawn: drawnBy(catalog, asset, column).map(short).sort(),
    planned: tokensOf(change.reaches ?? { columns: [], uses: [], targets: [], exposures: [] })
      .map(short)
      .sort(),
    broken: [...new Set(change.breaks.map(each => short(each.asset)))].sort(),
  }
}

type Reach = Pick<ColumnPath, 'uses' | 'targets' | 'exposures'> & {
  readonly columns: readonly { readonly asset: string; readonly column: string }[]
}

function tokensOf({ columns, uses, targets, exposures }: Reach): string[] {
  return [
    ...columns.map(({ asset, column }) => `${asset}.${column}`),
    ...uses.map(({ from, asset, clauses }) => `${asset} <${clauses.join(' ')} ${from.asset}.${from.column}`),
    ...targets.flatMap(({ target, sends }) => sends.map(({ field }) => `>${target} ${field}`)),
    ...exposures.map(({ exposure }) => `!${exposure}`),
  ]
}

/** Returns what the graph shows of the column's path, all of it: cards with rows, lines to heads of cards, lit exposures. */
function drawnBy(catalog: CatalogFile, asset: string, column: string): string[] {
  const path = columnPath(catalog, asset, column)
  if (path === undefined) throw new Error(`the page knows no ${asset}.${column}`)
  const { scene } = makeStage({ ...inputOf(catalog), path, selected: asset }, makePlaces(), undefined)
  const lit = [...(scene.lit?.cards ?? [])].flatMap(index => scene.cards[index] ?? [])
  const rows = lit.flatMap(card =>
    card.columns.flatMap(row =>
      row.isChosen
        ? []
        : [card.id.startsWith('publish:') ? `>${card.title} ${row.column}` : `${card.id}.${row.column}`],
    ),
  )
  const heads = scene.columnEdges.flatMap(({ from, to, style }) => {
    const [start, end] = [scene.cards[from.card], scene.cards[to.card]]
    const row = start?.columns[from.row]
    if (
      to.row !== headRow ||
      style !== 'hidden' ||
      start === undefined ||
      end === undefined ||
      row === undefined
    )
      return []
    const use = path.uses.find(
      each => each.asset === end.id && each.from.asset === start.id && each.from.column === row.column,
    )
    return [`${end.id} <${use?.clauses.join(' ')} ${start.id}.${row.column}`]
  })
  const exposures = lit.flatMap(({ id, title }) => (id.startsWith('exposure:') ? [`!${title}`] : []))
  return [...rows, ...heads, ...exposures]
}

function inputOf(catalog: CatalogFile): GraphInput {
  return {
    model: makeGraphModel(catalog, 0),
    kept: undefined,
    selected: null,
    focus: null,
    scope: 'all',
    expanded: [],
    moved: {},
    lens: 'kind',
    hidden: new Set(),
    live: new Map(),
    path: null,
    wholePath: true,
  }
}
