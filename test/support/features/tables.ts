/** The tables of kinds and features: what tests show, and what the checks of files refuse. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkAsset } from '@svc/server/language'
import { projectOf } from '../spec-project.ts'
import {
  destinationFeatures,
  destinations,
  type Pointless,
  pointlessDestinations,
  pointlessSources,
  removeKeys,
  requestKeys,
  sourceFeatures,
  sources,
} from './names.ts'

type Titled = Readonly<Record<string, readonly [title: string, keys: string | undefined]>>

export interface FeatureTable {
  readonly kinds: Titled
  readonly features: Titled
  /** `kind feature` of every call in a test. */
  readonly shown: ReadonlySet<string>
  readonly pointless: readonly Pointless[]
  isRefused(kind: string, feature: string): boolean
}

export function featureTables(root: string): {
  readonly sources: FeatureTable
  readonly destinations: FeatureTable
} {
  const texts = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.ts') && !name.includes('node_modules'))
    .sort()
    .map(name => readFileSync(join(root, 'test', name), 'utf8'))
    .join('\n')
  return {
    sources: {
      kinds: sources,
      features: sourceFeatures,
      shown: shownIn(texts, 'showsSource'),
      pointless: pointlessSources,
      isRefused: (kind, feature) => isRefused(sourceAsset(kind, feature)),
    },
    destinations: {
      kinds: destinations,
      features: destinationFeatures,
      shown: shownIn(texts, 'showsDestination'),
      pointless: pointlessDestinations,
      isRefused: (kind, feature) => isRefused(destinationAsset(kind, feature)),
    },
  }
}

const marks = ['¹', '²', '³', '⁴', '⁵', '⁶']

/** Rows are features, columns are kinds; behind them stands why some mean nothing. */
export function featureTable({
  kinds,
  features,
  shown,
  pointless,
  isRefused: refused,
}: FeatureTable): readonly string[] {
  const columns = Object.entries(kinds)
  const cell = (kind: string, feature: string) => {
    if (shown.has(`${kind} ${feature}`)) return 'yes'
    if (refused(kind, feature)) return '–'
    return marks[pointless.findIndex(each => isAbout(each, kind, feature))] ?? ''
  }
  return [
    `| | ${columns.map(([, [title]]) => title).join(' | ')} |`,
    `|---|${columns.map(() => '---|').join('')}`,
    ...Object.entries(features).map(
      ([feature, [title]]) => `| ${title} | ${columns.map(([kind]) => cell(kind, feature)).join(' | ')} |`,
    ),
    '',
    ...pointless.map(({ why }, index) => `${marks[index]} ${why}${index < pointless.length - 1 ? '\\' : ''}`),
  ]
}

export function isAbout({ kinds, features }: Pointless, kind: string, feature: string): boolean {
  return kinds.includes(kind) && features.includes(feature)
}

function shownIn(texts: string, call: string): ReadonlySet<string> {
  const calls = [
    ...texts.matchAll(new RegExp(`\\b${call}\\(\\s*\\[([^\\]]*)\\],\\s*\\[([^\\]]*)\\],?\\s*\\)`, 'g')),
  ]
  const said = texts.match(new RegExp(`\\b${call}\\(`, 'g')) ?? []
  if (calls.length !== said.length) throw new Error(`${call} takes two lists of texts, written as they are`)
  return new Set(
    calls.flatMap(([, kinds = '', features = '']) =>
      namesIn(kinds).flatMap(kind => namesIn(features).map(feature => `${kind} ${feature}`)),
    ),
  )
}

function namesIn(list: string): readonly string[] {
  return Array.from(list.matchAll(/'(\w+)'/g), ([, name = '']) => name)
}

function sourceAsset(kind: string, feature: string): string | undefined {
  const keys = (sourceFeatures as Titled)[feature]?.[1]
  if (keys === undefined) return undefined
  const request = kind === 'rest_api' ? (requestKeys as Readonly<Record<string, string>>)[feature] : undefined
  const ingest = [(sources as Titled)[kind]?.[1], keys, ...(request === undefined ? [] : [request])].join(
    ', ',
  )
  return `name: o\ningest: {${ingest}}\ncontract: {columns: {id: bigint, email: varchar}}\ntransform: SELECT id FROM {{ source }}\n`
}

function destinationAsset(kind: string, feature: string): string | undefined {
  const keys = (destinationFeatures as Titled)[feature]?.[1]
  if (keys === undefined) return undefined
  const remove = kind === 'http' ? (removeKeys as Readonly<Record<string, string>>)[feature] : undefined
  const target = [(destinations as Titled)[kind]?.[1], keys, ...(remove === undefined ? [] : [remove])].join(
    ', ',
  )
  return `name: o\ningest: none\ntransform: SELECT 1 AS id\npublish:\n  there: {${target}}\n`
}

/** What no key asks for is refused nowhere. */
function isRefused(text: string | undefined): boolean {
  if (text === undefined) return false
  const other = 'name: other\ningest: none\ntransform: SELECT 1 AS id\n'
  const project = projectOf(
    new Map([
      ['models/o.svc', text],
      ['models/other.svc', other],
    ]),
  )
  return checkAsset(project, 'models/o.svc', undefined).some(({ severity }) => severity === 'error')
}
