/**
 * Turns an engine's error about a statement into a finding in the user's terms. It reads the code and the
 * place of the error, never the text of its message.
 */
import { extensionHint } from '../../language/engines/extensions.ts'
import { isOpen } from '../../language/engines/function-effects.ts'
import { engines } from '../../language/engines/index.ts'
import { wordSet } from '../../language/sql/grammar.ts'
import type { Call, Cast } from '../../language/sql/tree.ts'
import { nearestNames } from '../../language/text/nearest-names.ts'
import type { BindError } from '../bind-error.ts'
import { nearestFunctions } from '../function-names.ts'
import { datePartFinding, literalFinding } from '../literals/literal-finding.ts'
import { isPattern } from '../literals/options.ts'
import { sentence } from '../phrases.ts'
import { callFinding } from './call-findings.ts'
import type { Finding, Found } from './finding.ts'
import { groupFinding } from './group-findings.ts'
import { didYouMean } from './names-in-sight.ts'
import { outsideFinding } from './outside-findings.ts'
import { placeOf, spanOf, wholeRange } from './places.ts'
import { restsOnUnknown, type Treatment } from './treatment.ts'
import { isExpression, type PlacedNode, type TreeNode } from './tree-nodes.ts'

/** Returns 'silent' if the error depends on something unknown or repaired, or is reported elsewhere. */
export async function engineFinding(
  treatment: Treatment,
  error: BindError,
  culprit: PlacedNode | undefined,
): Promise<Found> {
  const closed = closedFunction(treatment, error, culprit)
  if (closed !== undefined) return closed
  if (error.subtype === 'unknown-value') return 'silent'
  if (culprit === undefined) return otherFinding(treatment, error, undefined)
  const { node } = culprit
  if (error.missing === 'Type' && node.kind === 'cast') return unknownType(treatment, error, node)
  if (error.missing?.includes('Function') && node.kind === 'call')
    return await unknownFunction(treatment, error, node as Call)
  if (error.call !== undefined && isExpression(node)) return callFinding(treatment, error, node)
  const option = optionFinding(treatment, error, culprit)
  if (option !== undefined) return option
  if (error.subtype === 'unknown-column') return columnFinding(treatment, error, culprit)
  return groupFinding(treatment, error, culprit) ?? otherFinding(treatment, error, culprit)
}

/** No single expression is to blame, and each trial would cost as much as the whole. */
export function tooDeep(treatment: Pick<Treatment, 'statement'>): Finding {
  const { label, deepest } = treatment.statement.engine
  return {
    code: 'sql-other',
    message: `this SQL is nested deeper than ${label} reads: ${deepest}`,
    hint: 'An alias of an alias of an alias counts too: put some of it into a CTE, or into an asset of its own.',
    range: wholeRange(treatment),
  }
}

function otherFinding(treatment: Treatment, error: BindError, culprit: PlacedNode | undefined): Found {
  if (culprit !== undefined && restsOnUnknown(treatment, culprit.node)) return 'silent'
  return {
    code: codeOf(error, culprit),
    message: sentence(error.message),
    hint: error.hint,
    range: culprit === undefined ? wholeRange(treatment) : placeOf(treatment, culprit),
  }
}

/**
 * Returns 'sql-type' for expressions with operands: an engine rejects those for the types of their operands.
 */
function codeOf(error: BindError, culprit: PlacedNode | undefined): string {
  if (culprit === undefined || (error.kind !== 'conversion' && error.kind !== 'binder')) return 'sql-other'
  if (culprit.parent?.node.kind === 'plain') return 'sql-group-by'
  if (culprit.node.kind === 'literal' && culprit.parent?.node.kind === 'query') return 'sql-other'
  return typed.has(culprit.node.kind) ? 'sql-type' : 'sql-other'
}

const typed: ReadonlySet<string> = wordSet(
  'binary unary cast call case between in index list map struct row reference literal interval collate',
)

/**
 * Reports an unknown column that the name binder did not find, unless it depends on columns that nobody
 * knows.
 */
function columnFinding(treatment: Treatment, error: BindError, culprit: PlacedNode): Found {
  if (restsOnUnknown(treatment, culprit.node)) return 'silent'
  const suggestions = error.candidates?.split(',').map(each => each.trim()) ?? []
  return {
    code: 'sql-unknown-column',
    message: `unknown column "${error.name ?? ''}"`,
    hint: didYouMean(suggestions),
    suggestions,
    range: placeOf(treatment, culprit),
  }
}

// ---------------------------------------------------------------- types, functions, options

function unknownType(treatment: Treatment, { name = '' }: BindError, node: Cast): Found {
  const extension = treatment.names.engine.extensions?.ofType(name)
  if (isListed(treatment, extension)) return 'silent'
  const written = node.type.names.find(each => each.text.toLowerCase() === name.toLowerCase())
  const common = treatment.names.engine.types.commonNames.map(each => each.toUpperCase())
  const suggestions = nearestNames(name, common)
  return {
    code: 'sql-unknown-type',
    message: `unknown type "${name}"`,
    ...advice(treatment, name, extension, suggestions),
    range: spanOf(written ?? node.type),
  }
}

/** It is refused whatever its arguments are, also where nobody knows their types. */
function closedFunction(
  treatment: Treatment,
  { name = '' }: BindError,
  culprit: PlacedNode | undefined,
): Finding | undefined {
  const { functions, fold } = treatment.statement.engine
  const called = fold(name.slice(name.lastIndexOf('.') + 1))
  const effect = functions.effectOf(called)
  if (effect === undefined || isOpen(effect)) return undefined
  const node = culprit?.node
  const word = node?.kind === 'call' ? (node as Call).path.at(-1) : undefined
  const span =
    culprit === undefined ? wholeRange(treatment) : word ? spanOf(word) : placeOf(treatment, culprit)
  return outsideFinding({ kind: 'function', name: called, effect, span, repair: [] })
}

async function unknownFunction(treatment: Treatment, { name = '' }: BindError, node: Call): Promise<Found> {
  const extension = treatment.names.engine.extensions?.ofFunction(name)
  if (isListed(treatment, extension)) return 'silent'
  const range = spanOf(node.path.at(-1) ?? node)
  const { functions, fold } = treatment.statement.engine
  if (functions.windows.has(fold(name)))
    return {
      code: 'sql-other',
      message: `${name}() needs OVER`,
      hint: `Write ${name}(…) OVER (ORDER BY …).`,
      range,
    }
  const code = 'sql-unknown-function'
  const message = `unknown function "${name}"`
  const own = treatment.statement.engine
  // A name that means something elsewhere is no slip: the nearest of another engine does something else.
  const other = engines.find(each => each !== own && each.functions.effectOf(each.fold(name)) !== undefined)
  if (other !== undefined && extension === undefined)
    return {
      code,
      message,
      hint: `${other.label} has it, ${own.label} has not: write it in another way.`,
      range,
    }
  const suggestions = nearestFunctions(name, await treatment.names.functions())
  return {
    code,
    message,
    ...advice(treatment, name, extension, suggestions),
    range,
  }
}

/**
 * Returns the hint. Similar names are not offered if a function or type of exactly this name exists in an
 * extension.
 */
function advice(
  { names }: Treatment,
  name: string,
  extension: string | undefined,
  suggestions: readonly string[],
): Pick<Finding, 'hint' | 'suggestions'> {
  if (extension !== undefined && names.extensions.includes(extension))
    return { hint: `it is in ${extension}, which is loaded: name its schema, as in public.${name}` }
  if (extension !== undefined) return { hint: extensionHint(names.engine, extension, names.extensions) }
  return { hint: didYouMean(suggestions), suggestions }
}

/** Returns whether `svc.yaml` lists an extension that may fail to load: the reason is reported there. */
function isListed({ names }: Treatment, extension: string | undefined): boolean {
  const mayFail = names.engine.extensions?.fileEnding !== undefined
  return mayFail && extension !== undefined && names.extensions.includes(extension)
}

/**
 * Reports a literal that the engine itself rejects: an option of a function, which it checks before any row.
 */
function optionFinding(treatment: Treatment, error: BindError, culprit: PlacedNode): Found | undefined {
  if (error.kind !== 'conversion') return undefined
  const { node: found, parent } = culprit
  const node = datePart(found) ?? datePart(callAround(culprit)) ?? found
  if (node.kind !== 'literal' && node === found) return undefined
  const text = treatment.statement.template.text.slice(node.start, node.end)
  const range = spanOf(node)
  if (node !== found) return datePartFinding(text.replace(/^'|'$/g, ''), range)
  if (isPattern(parent?.node.kind === 'item' ? undefined : callAround(culprit), node))
    return literalFinding(text, { as: '', kind: 'regular expression' }, error, range)
  return { code: 'sql-bad-literal', message: sentence(error.message), range }
}

const datePartFunctions: ReadonlySet<string> = wordSet(
  'extract date_part datepart date_trunc datetrunc date_diff datediff date_sub datesub',
)

/** Returns the date part of a call such as `extract(part FROM date)`. */
function datePart(node: TreeNode | undefined): TreeNode | undefined {
  if (node?.kind !== 'call') return undefined
  const { path, arguments: given } = node as Call
  return datePartFunctions.has(path.at(-1)?.text.toLowerCase() ?? '') ? given[0]?.value : undefined
}

function callAround({ parent }: PlacedNode): Call | undefined {
  for (let each = parent; each; each = each.parent) if (each.node.kind === 'call') return each.node as Call
  return undefined
}
