/** An asset that the import makes, and its file. */
import { Document, isMap, isScalar, isSeq, Pair, Scalar, visit, type YAMLMap, YAMLSeq } from 'yaml'

/** A value of a .svc file. */
export type Plain =
  | string
  | number
  | boolean
  | null
  | readonly Plain[]
  | { readonly [key: string]: Plain | undefined }
export type PlainMap = { readonly [key: string]: Plain | undefined }

export interface AssetDraft {
  readonly name: string
  /** Relative to the new project's root. */
  readonly path: string
  readonly description: string | undefined
  readonly owner: string | undefined
  readonly tags: readonly string[]
  readonly ingest: Plain
  readonly contract: PlainMap | undefined
  readonly transform: string
  readonly columns: ReadonlyMap<string, PlainMap>
  readonly tests: PlainMap[]
  readonly freshness: PlainMap | undefined
  readonly deploy: PlainMap
  readonly exposures: PlainMap[]
}

/** Blocks that a blank line sets apart, as people write them. */
const apart = new Set('ingest contract transform columns tests freshness deploy exposures'.split(' '))

export function assetFile(draft: AssetDraft): string {
  const { columns, ...rest } = draft
  const keys: Record<string, Plain | undefined> = {
    name: rest.name,
    description: rest.description,
    owner: rest.owner,
    tags: rest.tags.length === 0 ? undefined : rest.tags,
    ingest: rest.ingest,
    contract: rest.contract,
    transform: rest.transform.includes('\n') ? `${rest.transform}\n` : rest.transform,
    columns: columns.size === 0 ? undefined : Object.fromEntries(columns),
    tests: rest.tests.length === 0 ? undefined : rest.tests,
    freshness: rest.freshness,
    deploy: Object.keys(rest.deploy).length === 0 ? undefined : rest.deploy,
    exposures: rest.exposures.length === 0 ? undefined : rest.exposures,
  }
  return yamlOf(keys)
}

export function yamlOf(keys: Readonly<Record<string, Plain | undefined>>): string {
  const document = new Document(clean(keys))
  const { contents } = document
  if (isMap(contents)) {
    for (const [index, pair] of contents.items.entries()) {
      const key = pair.key
      if (index > 0 && isScalar(key) && apart.has(String(key.value)) && isMultiline(pair.value))
        key.spaceBefore = true
    }
  }
  visit(document, {
    Seq: (_, node) => flowIfShort(node),
    Map: (_, node, path) => {
      if (!isBlock(path)) flowIfShort(node)
    },
    Scalar: (key, node) => {
      if (key !== 'key' && typeof node.value === 'string' && node.value.includes('\n'))
        node.type = Scalar.BLOCK_LITERAL
    },
  })
  return document.toString({ lineWidth: 0, flowCollectionPadding: false, doubleQuotedAsJSON: true })
}

/** The file itself, its columns and each test or exposure are easier to read and to change one key a line. */
function isBlock(path: readonly unknown[]): boolean {
  const keys = path.flatMap(each =>
    each instanceof Pair && isScalar(each.key) ? [String(each.key.value)] : [],
  )
  if (path.length <= 1) return true
  const [first, ...more] = keys
  return more.length === 0 && (first === 'columns' || first === 'tests' || first === 'exposures')
}

function clean(keys: Readonly<Record<string, Plain | undefined>>): Record<string, Plain> {
  return JSON.parse(JSON.stringify(keys)) as Record<string, Plain>
}

function isMultiline(node: unknown): boolean {
  if (isScalar(node)) return typeof node.value === 'string' && node.value.includes('\n')
  return isMap(node) || isSeq(node)
}

const longestLine = 90

/** What is short and has no text of several lines is written in one line: `{id: 1, name: Ada}`. */
function flowIfShort(node: YAMLMap | YAMLSeq): void {
  const isList = node instanceof YAMLSeq
  const texts = leaves(node)
  const length = texts.reduce((sum, text) => sum + text.length + 4, 0)
  const isDeep = depthOf(node) > (isList ? 1 : 2)
  if (texts.some(text => text.includes('\n')) || length > longestLine || isDeep) return
  // A list of mappings has one a line.
  if (isList && node.items.some(item => isMap(item))) return
  node.flow = true
}

function leaves(node: unknown): readonly string[] {
  if (isScalar(node)) return [String(node.value)]
  if (node instanceof Pair) return [...leaves(node.key), ...leaves(node.value)]
  return isMap(node) || isSeq(node) ? node.items.flatMap((item: unknown) => leaves(item)) : []
}

function depthOf(node: unknown): number {
  if (node instanceof Pair) return depthOf(node.value)
  if (!isMap(node) && !isSeq(node)) return 0
  return 1 + Math.max(0, ...node.items.map((item: unknown) => depthOf(item)))
}
