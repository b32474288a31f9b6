/** Parses the text of `glossary.yaml`. It never throws; a missing file is an empty glossary. */

import type { Engine } from '../engines/engine.ts'
import { locate, nodeAt } from '../project/locate.ts'
import { type SqlFileReading, templateOf } from '../project/parse-asset.ts'
import { diagnosticsOf, readMapping } from '../project/read-yaml.ts'
import type { JsonScalar } from '../schema/definition.ts'
import { glossaryShape } from '../schema/glossary-schema.ts'
import type { Values } from '../schema/read-value.ts'
import type { Node } from '../syntax/node.ts'
import type { SqlTemplate } from '../syntax/template.ts'
import { parseYaml } from '../syntax/yaml.ts'
import type { Range } from '../text/range.ts'
import { duplicates } from './duplicates.ts'
import { entryId } from './entry-id.ts'
import {
  type Dimension,
  emptyGlossary,
  type Glossary,
  glossaryPath,
  type Metric,
  type Policy,
  type Term,
  type TermLink,
} from './glossary.ts'

/** Parses the glossary. `text` is undefined if there is no file. */
export function parseGlossary(text: string | undefined, engine: Engine): Glossary {
  if (text === undefined) return emptyGlossary
  const { root, problems } = parseYaml(text)
  const reading: SqlFileReading = { text, engine, problems: [...problems] }
  const mustBe = 'glossary.yaml is a mapping with the keys terms, metrics, dimensions, policies and links'
  const values = readMapping(reading, root, glossaryShape, mustBe) ?? {}
  const file: File = { reading, text, tree: root }
  const entries = {
    terms: listOf(values['terms'], (value, index) => readTerm(file, value, index)),
    metrics: listOf(values['metrics'], (value, index) => readMetric(file, value, index)),
    dimensions: listOf(values['dimensions'], (value, index) => readDimension(file, value, index)),
    policies: listOf(values['policies'], (value, index) => readPolicy(file, value, index)),
    links: listOf(values['links'], (value, index) => readLink(file, value, index)),
  }
  const diagnostics = [...diagnosticsOf(reading, glossaryPath), ...duplicates(entries)]
  return {
    ...entries,
    diagnostics: diagnostics.sort((a, b) => a.range.start - b.range.start),
    file: { text, tree: root },
  }
}

interface File {
  readonly reading: SqlFileReading
  readonly text: string
  readonly tree: Node | undefined
}

/**
 * Reads a list, without entries that lack something required (an undefined item, no name), which are reported already.
 */
function listOf<T>(values: unknown, read: (value: Values, index: number) => T | undefined): readonly T[] {
  if (!Array.isArray(values)) return []
  return values.flatMap((value: Values | undefined, index) => {
    const entry = value === undefined ? undefined : read(value, index)
    return entry === undefined ? [] : [entry]
  })
}

function entryOf(file: File, list: string, prefix: string, value: Values, index: number) {
  const name = textOf(value, 'name')
  if (name === undefined || name === '') return undefined
  return {
    id: textOf(value, 'id') ?? entryId(prefix, name),
    name,
    description: textOf(value, 'description') ?? '',
    range: bodyOf(file, [list, index, 'name']),
    index,
  }
}

function readTerm(file: File, value: Values, index: number): Term | undefined {
  const entry = entryOf(file, 'terms', 'term', value, index)
  return entry && { ...entry, synonyms: textsOf(value, 'synonyms'), owner: textOf(value, 'owner') }
}

function readMetric(file: File, value: Values, index: number): Metric | undefined {
  const entry = entryOf(file, 'metrics', 'metric', value, index)
  const node = nodeAt(file.tree, ['metrics', index, 'sql_definition'])
  const isSql = node?.kind === 'scalar' && typeof node.value === 'string' && node.value.trim() !== ''
  return (
    entry && {
      ...entry,
      expression: textOf(value, 'sqlDefinition'),
      sql: isSql ? withoutMacros(file, templateOf(file.reading, node)) : undefined,
      timeGrain: textOf(value, 'timeGrain'),
      sourceAssets: textsOf(value, 'sourceAssets'),
      owner: textOf(value, 'owner'),
    }
  )
}

/** The SQL of a metric is computed over what is live, where no macros are expanded. */
function withoutMacros({ reading }: File, template: SqlTemplate | undefined): SqlTemplate | undefined {
  const call = template?.tags.find(({ kind }) => kind === 'macro')
  if (template !== undefined && call !== undefined)
    reading.problems.push({
      code: 'invalid-tag',
      range: template.toFile.rangeToOriginal(call.range),
      message: 'a metric cannot call a macro',
      hint: 'Compute the value in an asset, and let the metric read its column.',
    })
  return template
}

function readDimension(file: File, value: Values, index: number): Dimension | undefined {
  const entry = entryOf(file, 'dimensions', 'dim', value, index)
  const values = (value['values'] ?? []) as readonly JsonScalar[]
  return entry && { ...entry, values, type: textOf(value, 'type') ?? 'categorical' }
}

const severities = { strict: 'error', warn: 'warning', off: 'information' } as const

function readPolicy(file: File, value: Values, index: number): Policy | undefined {
  const entry = entryOf(file, 'policies', 'policy', value, index)
  const rule = textOf(value, 'rule') ?? ''
  const enforcement = (textOf(value, 'enforcement') ?? 'strict') as Policy['enforcement']
  return (
    entry && {
      ...entry,
      description: rule,
      rule,
      piiColumns: textsOf(value, 'piiColumns'),
      appliesTo: textsOf(value, 'appliesTo'),
      enforcement,
      derived: (textOf(value, 'derived') ?? 'allow') as Policy['derived'],
      severity: severities[enforcement],
    }
  )
}

function readLink(file: File, value: Values, index: number): TermLink | undefined {
  const term = textOf(value, 'term')
  const asset = textOf(value, 'asset')
  if (term === undefined || term === '' || asset === undefined || asset === '') return undefined
  const column = textOf(value, 'column')
  return {
    term,
    asset,
    column,
    role: textOf(value, 'role') as TermLink['role'],
    range: locate(file, ['links', index]),
    termRange: bodyOf(file, ['links', index, 'term']),
    assetRange: bodyOf(file, ['links', index, 'asset']),
    columnRange: column === undefined ? undefined : bodyOf(file, ['links', index, 'column']),
    index,
  }
}

function textOf(value: Values, key: string): string | undefined {
  const entry = value[key]
  return entry === undefined ? undefined : String(entry)
}

function textsOf(value: Values, key: string): readonly string[] {
  return (value[key] ?? []) as readonly string[]
}

/** Returns the range of the scalar at `path` without its quotes. */
function bodyOf(file: File, path: readonly (string | number)[]): Range {
  const node = nodeAt(file.tree, path)
  return node?.kind === 'scalar' ? node.bodyRange : locate(file, path)
}
