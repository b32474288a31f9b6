/** Tables, types and functions that the catalogue does not have. */

import { extensionHint, extensionOfFunction, extensionOfType } from '../language/extensions/extension-of.ts'
import { type Expression, locationOf, type TableNode } from '../language/lineage/sql-tree.ts'
import { nearestNames } from '../language/text/nearest-names.ts'
import type { Range } from '../language/text/range.ts'
import type { BindError } from './bind-error.ts'
import type { Treatment } from './diagnose.ts'
import type { Finding, Found } from './findings.ts'
import type { SqlEdit } from './fixes.ts'
import { isWindowFunction, nearestFunctions } from './known-functions.ts'
import { cteNames, didYouMean, joined, tableSuggestions } from './names-in-sight.ts'
import { nameSql } from './quoting.ts'

export function missingFinding(treatment: Treatment, error: BindError, node: Expression & TableNode) {
  if (error.missing === undefined) return undefined
  if (error.missing === 'Table' || error.missing === 'View') return unknownTable(treatment, node)
  if (error.missing === 'Type') return unknownType(treatment, error, node)
  if (error.missing.includes('Function')) return unknownFunction(treatment, error, node)
  return undefined
}

async function unknownTable(treatment: Treatment, node: TableNode): Promise<Finding> {
  const name = node.table_name ?? ''
  const suggestions = await tableSuggestions(treatment, node)
  const [first] = suggestions
  const isCte = first !== undefined && cteNames(treatment.resolution.trace?.tables.get(node)).includes(first)
  const meant = first === undefined || isCte ? didYouMean(suggestions) : `did you mean {{ ref('${first}') }}?`
  const rule =
    first === undefined
      ? "SQL reads other assets through {{ ref('name') }} and its own source through {{ source }}."
      : undefined
  const count = node.schema_name ? 2 : 1
  const parts = treatment.places.nameParts(locationOf(node) ?? 0, count)
  const range = parts.at(-1) ?? treatment.places.tokenAt(locationOf(node) ?? 0)
  return {
    code: 'sql-unknown-table',
    message: `unknown table "${name}"`,
    hint: joined(meant, rule),
    suggestions,
    range,
    edit:
      first === undefined
        ? undefined
        : tableEdit(first, isCte, { start: parts[0]?.start ?? range.start, end: range.end }),
  }
}

function tableEdit(name: string, isCte: boolean, range: Range): SqlEdit {
  const text = isCte ? nameSql(name) : `{{ ref('${name}') }}`
  return { range, text, title: `Change to ${isCte ? `"${name}"` : text}` }
}

function unknownType(treatment: Treatment, error: BindError, node: Expression): Found {
  const name = error.name ?? ''
  const extension = extensionOfType(name)
  if (isListed(treatment, extension)) return 'silent'
  const suggestions = nearestNames(name, typeNames)
  const location = locationOf(node) ?? 0
  return {
    code: 'sql-unknown-type',
    message: `unknown type "${name}"`,
    ...advice(treatment, extension, () => ({ hint: didYouMean(suggestions), suggestions })),
    range: treatment.places.findName(name, location) ?? treatment.places.tokenAt(location),
  }
}

const typeNames = [
  'BIGINT',
  'BLOB',
  'BOOLEAN',
  'DATE',
  'DECIMAL',
  'DOUBLE',
  'FLOAT',
  'HUGEINT',
  'INTEGER',
  'INTERVAL',
  'JSON',
  'NUMERIC',
  'REAL',
  'SMALLINT',
  'TEXT',
  'TIME',
  'TIMESTAMP',
  'TIMESTAMPTZ',
  'TINYINT',
  'UUID',
  'VARCHAR',
]

async function unknownFunction(
  treatment: Treatment,
  error: BindError,
  node: Expression & TableNode,
): Promise<Found> {
  const name = error.name ?? ''
  const extension = extensionOfFunction(name)
  if (isListed(treatment, extension)) return 'silent'
  const suggestions = nearestFunctions(name, (await treatment.names.functions()).all)
  const location = locationOf(node) ?? locationOf(node.function ?? {}) ?? 0
  const parts = treatment.places.nameParts(location, 3)
  const range =
    treatment.places.findName(name, location) ?? parts.at(-1) ?? treatment.places.tokenAt(location)
  if (isWindowFunction(name))
    return {
      code: 'sql-other',
      message: `${name}() needs OVER`,
      hint: `Write ${name}(…) OVER (ORDER BY …).`,
      range,
    }
  return {
    code: 'sql-unknown-function',
    message: `unknown function "${name}"`,
    ...advice(treatment, extension, () => ({
      hint: suggestions[0] === undefined ? undefined : `did you mean "${suggestions[0]}"?`,
      suggestions,
    })),
    range,
  }
}

type Advice = Pick<Finding, 'hint' | 'suggestions'>

/** A near name is no help where the very name exists. */
function advice({ names }: Treatment, extension: string | undefined, otherwise: () => Advice): Advice {
  return extension === undefined ? otherwise() : { hint: extensionHint(extension, names.extensions) }
}

/** Why it is not loaded all the same is said in `svc.yaml`. */
function isListed({ names }: Treatment, extension: string | undefined): boolean {
  return extension !== undefined && names.extensions.includes(extension)
}
