/** Offers whole assets for an empty file. */
import { sourcesToStartFrom } from '../../../sources/index.ts'
import { placeholder, plainInSnippet } from '../../../text/snippet.ts'
import { sortKey } from '../completion.ts'
import type { YamlAsk, YamlItem } from './yaml-offer.ts'

export function skeletons(ask: YamlAsk): readonly YamlItem[] {
  if (saysSomething(ask)) return []
  const stem = ask.path.slice(ask.path.lastIndexOf('/') + 1).replace(/\.svc$/, '')
  const name = plainInSnippet(stem.replace(/\W+/g, '_') || 'name')
  return kinds.map(({ label, detail, lines }, index) => ({
    label,
    kind: 'snippet',
    detail,
    insert: lines(name).join('\n'),
    isSnippet: true,
    filter: `asset ${label}`,
    sort: sortKey('c', index),
  }))
}

/** Returns whether the file has content besides comments and the word at the cursor. */
function saysSomething({ spot: { text, word } }: YamlAsk): boolean {
  const others = `${text.slice(0, word.start)}${text.slice(word.end)}`
  return others.split('\n').some(line => !/^\s*(?:#.*|---\s*)?$/.test(line))
}

const head = (name: string): readonly string[] => [
  `name: ${placeholder(1, name)}`,
  `description: ${placeholder(2, 'What it is, in a sentence.')}`,
]

const kinds: readonly {
  readonly label: string
  readonly detail: string
  readonly lines: (name: string) => readonly string[]
}[] = [
  {
    label: 'model',
    detail: 'an asset made of other assets',
    lines: name => [
      ...head(name),
      'ingest: none',
      'transform: |',
      `  SELECT ${placeholder(4, '*')}`,
      `  FROM {{ ref('${placeholder(3)}') }}`,
      'tests:',
      `  - unique: ${placeholder(5, 'column')}$0`,
    ],
  },
  ...sourcesToStartFrom.map(({ skeleton: { label, detail, ingest } }) => ({
    label,
    detail,
    lines: (name: string) => [
      ...head(name),
      ...ingest(name),
      'transform: |',
      '  SELECT *',
      '  FROM {{ source }}$0',
    ],
  })),
]
