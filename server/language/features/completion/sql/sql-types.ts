/** Offers types. */
import type { EngineTypes } from '../../../engines/engine.ts'
import { placeholder } from '../../../text/snippet.ts'
import { type CompletionItem, sortKey } from '../completion.ts'

const docs: Readonly<Record<string, string>> = {
  bigint: 'whole numbers of 64 bits',
  boolean: 'true or false',
  date: 'a day',
  decimal: 'exact numbers with digits after the point',
  double: 'numbers with about 15 digits',
  integer: 'whole numbers of 32 bits',
  interval: 'a span of time',
  json: 'a JSON text',
  struct: 'named fields',
  timestamp: 'a day and a time',
  timestamptz: 'a point in time, with a time zone',
  uuid: 'an identifier of 128 bits',
  varchar: 'text',
}

type TypeItem = Omit<CompletionItem, 'range'>

export function typeItems({ commonNames }: EngineTypes): readonly TypeItem[] {
  return commonNames.map((name, index): TypeItem => {
    const detail = docs[name]
    const insert = snippets[name] ?? name.toUpperCase()
    return {
      label: name.toUpperCase(),
      kind: 'type',
      ...(detail !== undefined && { detail }),
      insert,
      ...(name in snippets && { isSnippet: true }),
      sort: sortKey(detail === undefined ? 'b' : 'a', index),
    }
  })
}

const snippets: Readonly<Record<string, string>> = {
  decimal: `DECIMAL(${placeholder(1, '18')},${placeholder(2, '2')})$0`,
  struct: `STRUCT(${placeholder(1, 'name')} ${placeholder(2, 'VARCHAR')})$0`,
}
