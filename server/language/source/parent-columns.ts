/** The placeholders `{parent.id}` in the requests of a web service: values of a row of the asset of `for_each`. */
import { nodeAt } from '../project/locate.ts'
import type { RestIngest } from '../schema/definition.ts'
import type { Node } from '../syntax/node.ts'
import { scalarPositions } from '../syntax/scalar-positions.ts'
import type { Range } from '../text/range.ts'
import { textsIn } from './cursor-placeholders.ts'
import { shortTags } from './request-tags.ts'

const placeholder = /\{parent\.([A-Za-z_]\w*)\}/g
const written = /\{\{\s*parent\.([A-Za-z_]\w*)\s*\}\}|\{parent\.([A-Za-z_]\w*)\}/g

/** Returns the text with the value of each placeholder. */
export function fillParent(text: string, valueIn: (column: string) => string): string {
  return shortTags(text).replace(placeholder, (_all, column: string) => valueIn(column))
}

/** Returns the column of a text that is one placeholder and nothing else. */
export function onlyPlaceholder(text: string): string | undefined {
  return /^\{parent\.([A-Za-z_]\w*)\}$/.exec(shortTags(text))?.[1]
}

type Requests = Pick<RestIngest, 'resource' | 'params' | 'body'>

/** Returns the columns that the requests name. */
function columnsNamed({ resource, params, body = null }: Requests): readonly string[] {
  const texts = textsIn([resource, params, body])
  return texts.flatMap(text => Array.from(shortTags(text).matchAll(placeholder), ([, column = '']) => column))
}

/** Returns the columns of the asset that its rows are read with. */
export function columnsRead(ingest: Requests & Pick<RestIngest, 'forEach'>): readonly string[] {
  const { columns = [], carry = [] } = ingest.forEach ?? {}
  return [...new Set([...columns, ...columnsNamed(ingest), ...carry])]
}

export interface PlacedColumn {
  readonly column: string
  readonly range: Range
}

/** Returns the placeholders with the places of their columns in the file. */
export function placedColumns(text: string, tree: Node | undefined): readonly PlacedColumn[] {
  return ['resource', 'params', 'body'].flatMap(key => within(text, nodeAt(tree, ['ingest', key])))
}

function within(text: string, node: Node | undefined): readonly PlacedColumn[] {
  if (node === undefined) return []
  if (node.kind === 'map') return node.entries.flatMap(({ value }) => within(text, value))
  if (node.kind === 'sequence') return node.items.flatMap(item => within(text, item))
  return Array.from(String(node.value).matchAll(written), match => {
    const column = match[1] ?? match[2] ?? ''
    const start = match.index + match[0].indexOf('parent.') + 'parent.'.length
    const range = scalarPositions(text, node).rangeToOriginal({ start, end: start + column.length })
    return { column, range }
  })
}
