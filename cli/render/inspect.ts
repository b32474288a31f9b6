/** Renders one asset: blocks, schema, lineage, tests, problems (interface.md 4.4). */
import type { JsonOf } from '@svc/server/contract'
import {
  type Asset,
  type AssetAnalysis,
  type Diagnostic,
  inheritedKeys,
  inheritedValue,
  maskCredentials,
  type Project,
  redact,
  sourceKindOf,
  svcIn,
  testWord,
} from '@svc/server/language'
import type { SourceLayout } from '../engine/workspace/source-layouts.ts'
import { renderDiagnostics } from './diagnostics.ts'
import type { Style } from './style.ts'
import { renderTable } from './table.ts'
import { diagnosticJson } from './validation.ts'
import { wrap, wrapBehind } from './width.ts'

export interface InspectReport {
  readonly asset: Asset
  /** Of the file's bytes. */
  readonly sha256: string
  /** Whether the file is in the folder of the project, and no link to somewhere else. */
  readonly isInside: boolean
  readonly blocks: Readonly<Record<string, unknown>>
  /** What comes from `defaults` in `svc.yaml`; undefined if nothing does. */
  readonly inherited: Readonly<Record<string, unknown>> | undefined
  readonly analysis: AssetAnalysis | undefined
  /** How the text files of the source are written; none for other sources. */
  readonly layouts: readonly SourceLayout[]
  readonly project: Project
  /** Whether it has a source of which not all columns are known. */
  readonly isSourceOpen: boolean
  readonly diagnostics: readonly Diagnostic[]
}

export function renderInspect(report: InspectReport, style: Style): string[] {
  const { asset, project } = report
  const { definition } = asset
  return [
    `${style.bold(asset.name)}  ${asset.path}`,
    ...(definition.description === undefined ? [] : wrap(definition.description, style.width)),
    '',
    ...fact('Blocks', Object.keys(report.blocks).join(', '), style),
    ...inheritedLines(report, style),
    ...fact('Ingest', ingestText(asset), style),
    ...report.layouts.flatMap((each, index) => fact(index === 0 ? 'Read as' : '', layoutText(each), style)),
    ...fact('Deploy', definition.deploy.materialize, style),
    ...fact('Upstream', listText(project.parents(asset.name)), style),
    ...fact('Downstream', listText(project.children(asset.name)), style),
    '',
    ...columnsTable(report, style),
    '',
    ...testLines(asset, style),
    ...(report.diagnostics.length === 0
      ? []
      : ['', ...renderDiagnostics(report.diagnostics, () => asset.text, style)]),
  ]
}

/** `deploy.materialize: view (models/staging/**)`, as in svc.yaml. */
function inheritedLines({ asset, project }: InspectReport, style: Style): string[] {
  if (asset.inherited === undefined) return []
  const keys = inheritedKeys(asset, project.settings).map(
    ({ path, node, pattern }) => `${path.join('.')}: ${inheritedValue(node)} (${pattern})`,
  )
  return keys.length === 0 ? [] : fact('Inherits', keys.join('; '), style)
}

function ingestText({ definition: { ingest } }: Asset): string {
  return ingest.type === 'none' ? 'none' : redact(sourceKindOf(ingest).summary(ingest), [])
}

const lineEndNames = { lf: 'LF', crlf: 'CRLF', cr: 'CR', mixed: 'LF and CRLF' }

/** `utf-8, delimiter ";", header, CRLF (data/a.csv and 3 more; not in schemas.lock.json)`. */
function layoutText({ layout, isLocked, files, count }: SourceLayout): string {
  const { encoding, delimiter, quote, escape: mark, comment, header, skip, line_ends } = layout
  const said = [
    encoding,
    delimiter === '' ? 'a single column' : `delimiter ${JSON.stringify(delimiter)}`,
    ...(quote === undefined ? [] : [quote === '' ? 'no quotes' : `quote ${quote}`]),
    ...(mark === undefined ? [] : [`escape ${mark}`]),
    ...(comment === '' ? [] : [`comment ${comment}`]),
    ...(skip === 0 ? [] : [`skip ${skip} ${skip === 1 ? 'line' : 'lines'}`]),
    header ? 'header' : 'no header',
    ...(line_ends === undefined ? [] : [lineEndNames[line_ends]]),
  ]
  const more = count > files.length ? ` and ${count - files.length} more` : ''
  const where = [
    ...(files.length === 0 ? [] : [`${files.join(', ')}${more}`]),
    isLocked ? 'as in schemas.lock.json' : 'not in schemas.lock.json',
  ]
  return `${said.join(', ')} (${where.join('; ')})`
}

function layoutJson({ layout, isLocked, files, count }: SourceLayout) {
  const { quote, escape: mark, line_ends, ...rest } = layout
  return {
    ...rest,
    quote: quote ?? null,
    escape: mark ?? null,
    line_ends: line_ends ?? null,
    locked: isLocked,
    files: { count, first: [...files] },
  }
}

function listText(names: readonly string[]): string {
  return names.length === 0 ? '-' : names.join(', ')
}

function columnsTable(report: InspectReport, style: Style): string[] {
  const columns = report.analysis?.columns ?? []
  if (columns.length === 0) return wrap(unknownColumns(report), style.width)
  const rows = columns.map(column => [column.name, column.type ?? 'unknown', originText(report, column.name)])
  return renderTable(
    [
      { title: 'Column', maxWidth: 32 },
      { title: 'Type', maxWidth: 24 },
      { title: 'From', maxWidth: 48 },
    ],
    rows,
    style,
  )
}

function unknownColumns({ asset, isSourceOpen }: InspectReport): string {
  if (!isSourceOpen) return 'Columns are not known: the SQL cannot be read yet.'
  const line = svcIn(undefined)(`run ${asset.name}`)
  return `Columns are not known: those of its source are not. ${line} loads it; contract.columns can name them.`
}

function originText({ analysis, asset }: InspectReport, name: string): string {
  const lineage = analysis?.lineage.find(each => each.column === name)
  const origins = lineage?.from.map(origin => originName(origin, asset.name)) ?? []
  return origins.join(', ')
}

function originName(origin: { asset: string; column: string; source?: string }, self: string): string {
  if (origin.source === undefined) return `${origin.asset}.${origin.column}`
  const owner = origin.asset === self ? 'source' : `${origin.asset} source`
  return origin.source === '' ? `${owner}.${origin.column}` : `${owner}(${origin.source}).${origin.column}`
}

function testLines({ definition: { tests } }: Asset, style: Style): string[] {
  if (tests.length === 0) return fact('Tests', 'none', style)
  return tests.flatMap((test, index) =>
    fact(index === 0 ? 'Tests' : '', `${test.name} (${testWord(test)}, ${test.severity})`, style),
  )
}

const labelWidth = 12

function fact(label: string, text: string, style: Style): string[] {
  return wrapBehind(label.padEnd(labelWidth), text, style.width)
}

export function inspectJson(report: InspectReport): JsonOf<'inspect'> {
  const { asset, analysis, project } = report
  return {
    name: asset.name,
    path: asset.path,
    sha256: report.sha256,
    text: report.isInside ? maskCredentials(asset.text, report.diagnostics) : null,
    blocks: report.blocks,
    ...(report.inherited !== undefined && { inherited: report.inherited }),
    schema: {
      columns: (analysis?.columns ?? []).map(column => ({ name: column.name, type: column.type ?? null })),
      complete: analysis?.complete ?? false,
    },
    ...(report.layouts.length > 0 && { layouts: report.layouts.map(layoutJson) }),
    lineage: {
      upstream: project.parents(asset.name),
      downstream: project.children(asset.name),
      columns: (analysis?.lineage ?? []).map(each => ({
        column: each.column,
        kind: each.kind,
        from: each.from.map(origin => ({
          asset: origin.asset,
          column: origin.column,
          source: origin.source ?? null,
        })),
      })),
    },
    tests: asset.definition.tests.map(({ index, ...test }) => test),
    diagnostics: report.diagnostics.map(diagnostic =>
      diagnosticJson(diagnostic, path => report.project.assets.get(path)?.text),
    ),
  }
}
