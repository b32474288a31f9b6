/**
 * Finds what almost is a tag in the requests of a web service, or is one where none is filled in: it would be sent as it
 * is written, and the service would answer something else than was asked for.
 */
import { nodeAt } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import { type Braces, bracesIn, type RequestKey, requestKeys, tagsOf } from '../source/request-tags.ts'
import { forEachOf, rowRequestsOf } from '../sources/index.ts'
import type { MapNode, Node, NodePath, ScalarNode } from '../syntax/node.ts'
import { scalarPositions } from '../syntax/scalar-positions.ts'
import { nearestNames } from '../text/nearest-names.ts'
import type { Range } from '../text/range.ts'
import type { FileCheck, Finding } from './check.ts'

export const unknownPlaceholder: FileCheck = {
  code: 'unknown-placeholder',
  doc: 'Braces in a request that are no tag, or a tag that means nothing there: they would be sent as they are written. An error where a tag is meant, else a warning.',
  *run(asset) {
    const { ingest, publish } = asset.definition
    if (rowRequestsOf(ingest) !== undefined)
      for (const key of requestKeys)
        yield* inNode(asset, nodeAt(asset.tree, ['ingest', key]), braces => inRequest(asset, key, braces))
    for (const target of Object.keys(publish))
      for (const path of publishPaths)
        yield* inNode(asset, nodeAt(asset.tree, ['publish', target, ...path]), inPublish)
  },
}

/** The texts of a target that make up its requests. */
const publishPaths: readonly NodePath[] = [['endpoint'], ['resource'], ['headers'], ['remove', 'resource']]

type Judgement = Omit<Finding, 'range' | 'fixes' | 'suggestions'> & { readonly right?: string | undefined }

const known = '{{ cursor }}, {{ cursor.end }} and {{ parent.column }}'

function* inNode(
  asset: Asset,
  node: Node | undefined,
  judge: (braces: Braces) => Judgement | undefined,
): Generator<Finding> {
  if (node === undefined) return
  if (node.kind === 'sequence') for (const item of node.items) yield* inNode(asset, item, judge)
  else if (node.kind === 'map') {
    const unquoted = unquotedTag(node)
    if (unquoted !== undefined) yield unquotedFinding(asset, node.range, unquoted)
    else for (const { value } of node.entries) yield* inNode(asset, value, judge)
  } else if (typeof node.value === 'string') yield* inText(asset, node, judge)
}

function* inText(
  asset: Asset,
  node: ScalarNode,
  judge: (braces: Braces) => Judgement | undefined,
): Generator<Finding> {
  for (const braces of bracesIn(String(node.value))) {
    const judgement = judge(braces)
    if (judgement === undefined) continue
    const { right, ...finding } = judgement
    const { index: start, written } = braces
    const range = scalarPositions(asset.text, node).rangeToOriginal({ start, end: start + written.length })
    yield { range, ...finding, ...(right !== undefined && suggestion(asset.path, range, right)) }
  }
}

function suggestion(path: string, range: Range, right: string) {
  const fixes = [{ title: `Change to "${right}"`, edits: [{ path, range, newText: right }] }]
  return { suggestions: [right], fixes }
}

/** `{cursor}` without quotes is a mapping to YAML. */
function unquotedTag({ entries }: MapNode): string | undefined {
  const [only] = entries
  const isAlone = entries.length === 1 && (only?.value === undefined || isEmpty(only.value))
  const name = String(only?.key.value ?? '')
  return isAlone && /^(cursor(\.end)?|parent\.\w+)$/.test(name) ? name : undefined
}

function isEmpty(node: Node): boolean {
  return node.kind === 'scalar' && node.value === null
}

function unquotedFinding(asset: Asset, range: Range, name: string): Finding {
  return {
    range,
    message: `{${name}} without quotes is a mapping, and no tag`,
    hint: `Write it in quotes: "{{ ${name} }}".`,
    ...suggestion(asset.path, range, `"{{ ${name} }}"`),
  }
}

function inRequest(asset: Asset, key: RequestKey, braces: Braces): Judgement | undefined {
  const { tag, written, inner, isDouble } = braces
  const forEach = forEachOf(asset.definition.ingest)
  if (tag !== undefined) return misplaced(asset, key, braces)
  const right = meantTag(braces, key, forEach?.asset)
  if (right !== undefined)
    return {
      message: `${written} is no tag, and would be sent as it is`,
      hint: `Did you mean ${right}?`,
      right,
    }
  if (isDouble) return unknownTag(written, inner)
  return key === 'body' && !isOfOtherTools(braces) ? undefined : sentAsItIs(braces)
}

/** The braces of JSON and GraphQL hold no word with a dot in it, and have no dollar before them. */
function isOfOtherTools({ inner, isAfterDollar }: Braces): boolean {
  return isAfterDollar || inner.includes('.')
}

function unknownTag(written: string, inner: string): Judgement {
  const hint = inner.startsWith('var(')
    ? 'Variables are for SQL. Write the value here, or env:NAME for a text that is a variable of the environment.'
    : `The tags of requests are ${known}.`
  return { message: `${written} is no tag of requests, and would be sent as it is`, hint }
}

/** Only words are what other tools fill in: braces of JSON are meant as they are. */
function sentAsItIs({ written, inner }: Braces): Judgement | undefined {
  if (!/^[A-Za-z_][\w.-]*$/.test(inner)) return undefined
  return {
    severity: 'warning',
    message: `${written} is sent as it is written`,
    hint: `The tags of requests are ${known}.`,
  }
}

/** A tag of another place, or of a key that is not there. */
function misplaced(asset: Asset, key: RequestKey, braces: Braces): Judgement | undefined {
  const { tag, written, isDouble, isAfterDollar } = braces
  const { ingest } = asset.definition
  if (tag === undefined) return undefined
  if (!tagsOf[key].includes(tag)) {
    const keys = requestKeys.filter(each => tagsOf[each].includes(tag))
    return { message: `${written} means nothing in ${key}`, hint: `It is for ${keys.join(', ')}.` }
  }
  const isBound = tag === 'parent' || ingest.type === 'none' || ingest.incremental !== undefined
  if (isBound) return isAfterDollar ? dollarSent(written) : undefined
  // A body may be in a language with braces of its own.
  if (key === 'body' && !isDouble) return isAfterDollar ? sentAsItIs(braces) : undefined
  return {
    message: `${written} is where an incremental load begins, and there is no incremental`,
    hint: 'Say which column tells what is new: incremental: {cursor: updated_at}, with write: append or merge.',
  }
}

function dollarSent(written: string): Judgement {
  return {
    severity: 'warning',
    message: `the dollar before ${written} is sent as it is written`,
    hint: 'Tags of requests have no dollar: take it out if it is no part of the value.',
  }
}

/** Returns the tag that braces are meant to be. */
function meantTag(
  { written, inner }: Braces,
  key: RequestKey,
  parent: string | undefined,
): string | undefined {
  const [, owner = '', member = ''] = /^([A-Za-z_][\w-]*)\s*\.\s*([A-Za-z_]\w*)$/.exec(inner) ?? []
  if (owner !== '') {
    if (isLike(owner, 'cursor')) return '{{ cursor.end }}'
    const isParent = isLike(owner, 'parent') || parent !== undefined
    return isParent ? `{{ parent.${member} }}` : undefined
  }
  if (!/^[A-Za-z_]\w*$/.test(inner)) return undefined
  // GraphQL has a field of this name, in braces with blanks.
  if (key === 'body' && written !== `{${inner}}` && !written.startsWith('{{')) return undefined
  if (isLike(inner, 'cursor')) return '{{ cursor }}'
  return parent !== undefined && key !== 'body' ? `{{ parent.${inner} }}` : undefined
}

function isLike(word: string, name: string): boolean {
  const small = word.toLowerCase()
  return small === name || nearestNames(small, [name]).length > 0
}

function inPublish(braces: Braces): Judgement | undefined {
  const { written, isDouble } = braces
  if (!isDouble) {
    const found = sentAsItIs(braces)
    return found && { ...found, hint: 'Requests of publish have no tags.' }
  }
  return {
    message: `${written} would be sent as it is`,
    hint: 'Requests of publish have no tags. Write the value.',
  }
}
