/** Renders a context pack as Markdown, for people who hand it to a language model. */
import type { ContextPack } from '@svc/server/contract'
import type { Context } from '../engine/ai/context.ts'
import type { PackEntry } from '../engine/upload/pack-glossary.ts'
import { countOf } from './numbers.ts'

type PackAsset = ContextPack['assets'][number]

/** What a reader of the pack does not see in it; for stderr. */
export function contextNotes({ shortened, omitted }: Context, errors: number): string[] {
  const cut = [
    ...(shortened.length > 0 ? [`${countOf(shortened.length, 'far asset')} without SQL`] : []),
    ...(omitted.length > 0 ? [`${countOf(omitted.length, 'asset')} left out`] : []),
  ]
  return [
    ...(errors > 0
      ? [`${countOf(errors, 'error')} in the project: columns may be missing; svc validate`]
      : []),
    ...(cut.length > 0 ? [`${cut.join(', ')} to fit; a larger --max-bytes has more`] : []),
  ]
}

export function renderContext(
  { pack, distances, omitted }: Context,
  focus: string | undefined,
  withTests: boolean,
): string[] {
  const { project, environment, git } = pack
  const place = [
    `warehouse ${project.warehouse ?? 'unknown'}`,
    `schema ${project.default_schema ?? 'unknown'}`,
    ...(environment === undefined ? [] : [`environment ${environment}`]),
    ...(git?.branch === undefined ? [] : [`git branch ${git.branch}`]),
  ]
  return [
    `# Project ${project.name}`,
    '',
    place.join(', '),
    ...(focus === undefined ? [] : ['', `In the middle: ${focus}`]),
    ...pack.assets.flatMap(asset => [
      ...assetLines(asset, pack, distances.get(asset.name ?? '')),
      ...(withTests ? testLines(asset.name ?? '', pack) : []),
    ]),
    ...(omitted.length === 0 ? [] : ['', `Left out: ${omitted.join(', ')}`]),
    ...exposureLines(pack),
    ...glossaryLines(pack.glossary as readonly PackEntry[]),
    ...runLines(pack),
  ]
}

function assetLines(asset: PackAsset, pack: ContextPack, distance: number | undefined): string[] {
  const { name = '', path, blocks, schema } = asset
  const steps = distance === undefined || distance === 0 ? '' : `, ${countOf(distance, 'step')} away`
  const edges = (pack.lineage ?? []) as readonly { from: string; to: string; kind: string }[]
  const described = textOf(blocks?.['description'])
  const sql = textOf(blocks?.['transform'])
  return [
    '',
    `## Asset ${name}`,
    '',
    `File ${path}${steps}.`,
    ...(described === undefined ? [] : ['', described.trim()]),
    ...listed(
      'Reads',
      edges.filter(edge => edge.to === name).map(edge => edge.from),
    ),
    ...listed(
      'Read by',
      edges.filter(edge => edge.from === name).map(edge => edge.to),
    ),
    ...sourceLines(blocks?.['ingest']),
    ...columnLines(schema?.columns ?? []),
    ...(sql === undefined ? [] : fenced('sql', sql)),
  ]
}

function listed(title: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : ['', `${title}: ${[...new Set(names)].join(', ')}`]
}

function sourceLines(ingest: unknown): string[] {
  if (typeof ingest !== 'object' || ingest === null) return []
  return ['', 'Source:', ...fenced('json', JSON.stringify(ingest, undefined, 2)).slice(1)]
}

type Column = NonNullable<NonNullable<PackAsset['schema']>['columns']>[number]

function columnLines(columns: readonly Column[]): string[] {
  if (columns.length === 0) return []
  return [
    '',
    'Columns:',
    '',
    ...columns.map(({ name, type, nullable, pii, description }) => {
      const facts = [
        type ?? 'unknown type',
        ...(nullable === false ? ['not null'] : []),
        ...(pii === true ? ['personal data'] : []),
      ]
      const said = textOf(description)
      return `- ${name}: ${facts.join(', ')}${said === undefined ? '' : `. ${oneLine(said)}`}`
    }),
  ]
}

function testLines(asset: string, { tests = [], test_results: results = {} }: ContextPack): string[] {
  const own = tests.filter(test => test.asset === asset)
  if (own.length === 0) return []
  const outcomes = new Map(results[asset]?.tests.map(({ name, status }) => [name, status]))
  const lines = own.map(({ name, kind, severity }) => {
    const outcome = outcomes.get(name)
    return `- ${name} (${kind ?? 'test'}${severity === 'warn' ? ', warns' : ''})${outcome === undefined ? '' : `: ${outcome}`}`
  })
  return ['', 'Tests:', '', ...lines]
}

function exposureLines({ exposures = [] }: ContextPack): string[] {
  if (exposures.length === 0) return []
  return [
    '',
    '## Who uses it',
    '',
    ...exposures.map(({ name, asset, type, owner }) => {
      const facts = [type, owner].filter(fact => fact !== null && fact !== undefined)
      return `- ${name} reads ${asset}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`
    }),
  ]
}

function glossaryLines(entries: readonly PackEntry[]): string[] {
  const of = <Kind extends PackEntry['kind']>(kind: Kind) =>
    entries.filter((entry): entry is Extract<PackEntry, { kind: Kind }> => entry.kind === kind)
  return [
    ...section('Terms', of('term'), ({ name, description, links }) => {
      const places = links.map(({ asset, column }) => (column === null ? asset : `${asset}.${column}`))
      return `- ${name}: ${oneLine(description)}${places.length === 0 ? '' : ` (${places.join(', ')})`}`
    }),
    ...section(
      'Metrics',
      of('metric'),
      ({ name, description, sql_definition: sql }) =>
        `- ${name}: ${oneLine(description)}${sql === null ? '' : ` \`${oneLine(sql)}\``}`,
    ),
    ...section(
      'Policies',
      of('policy'),
      ({ name, rule, enforcement }) => `- ${name} (${enforcement}): ${oneLine(rule)}`,
    ),
  ]
}

function section<T>(title: string, entries: readonly T[], line: (entry: T) => string): string[] {
  return entries.length === 0 ? [] : ['', `## ${title}`, '', ...entries.map(line)]
}

interface Run {
  readonly run_id: string
  readonly kind: string
  readonly status: string
  readonly started_at: string
  readonly error: string | null
  readonly assets: readonly { readonly name: string; readonly status: string; readonly because?: string }[]
}

function runLines({ history = [] }: ContextPack): string[] {
  return section('Last runs', history as unknown as readonly Run[], run => {
    const failures = run.assets.flatMap(({ name, status, because }) =>
      because === undefined ? [] : [`\n  - ${name} ${status}: ${oneLine(because)}`],
    )
    const error = run.error === null ? '' : `: ${oneLine(run.error)}`
    return `- ${run.started_at} ${run.kind} ${run.run_id}: ${run.status}${error}${failures.join('')}`
  }).flatMap(line => line.split('\n'))
}

/** A fence longer than any run of backticks inside, so that a text cannot end it. */
function fenced(language: string, text: string): string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return ['', `${fence}${language}`, ...text.trimEnd().split('\n'), fence]
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}
