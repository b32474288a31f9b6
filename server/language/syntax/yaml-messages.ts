/** Rewords the messages of the YAML parser. Problems with unclear messages are found in the tree instead. */

import type { Facts } from '../text/diagnostic.ts'

export interface YamlWords {
  readonly message: string
  readonly hint?: string
  readonly facts?: Facts
}

export const secondKey: YamlWords = {
  message: 'the value has ": " in it, which begins a second key',
  hint: 'Quote the value.',
  facts: { secondKey: true },
}

/** The first match wins; without words the problem is found in the tree. */
const translations: readonly (readonly [RegExp, YamlWords | undefined])[] = [
  [/^Missing closing/, undefined],
  [/^Flow .* end with a/, undefined],
  [/^Nested mappings are not allowed in compact mappings/, secondKey],
  [
    /^A block sequence may not be used as an implicit map key/,
    { message: 'a list cannot begin on the line of its key', hint: 'Put its items on lines of their own.' },
  ],
  [
    /^Block collections are not allowed within flow/,
    { message: 'inside { } and [ ] lists and mappings need brackets', hint: 'Is a closing bracket missing?' },
  ],
  [
    /^Implicit map keys need to be followed by map values/,
    { message: 'a key needs a colon and a value', hint: 'As in "key: value".' },
  ],
  [
    /^Unexpected .* at node end/,
    { message: 'there is text after the end of the value', hint: "A quote inside '…' is written ''." },
  ],
  [
    /^All (mapping items|sequence items|collection items) must start at the same column/,
    { message: 'this line begins in another column than its neighbours', hint: 'Indent them alike.' },
  ],
  [/^Tabs are not allowed/, { message: 'a tab is not allowed as indentation', hint: 'Indent with spaces.' }],
  [
    /^Plain value cannot start with/,
    { message: 'a value cannot begin with this character', hint: 'Quote the value.' },
  ],
  [
    /^Block scalar lines must not be less indented/,
    { message: 'this line is indented less than the first line of its text', hint: 'Indent them alike.' },
  ],
  [
    /^Invalid escape sequence/,
    { message: 'YAML has no such escape', hint: 'Write \\\\, or use single quotes.' },
  ],
  [/^Missing , /, { message: 'a comma is missing', hint: 'Items in brackets are separated by commas.' }],
]

/** Returns undefined if the problem is found in the tree. */
export function yamlWords(message: string): YamlWords | undefined {
  const translation = translations.find(([pattern]) => pattern.test(message))
  return translation === undefined ? { message: lowerFirst(message) } : translation[1]
}

function lowerFirst(message: string): string {
  const line = message.split('\n')[0] ?? message
  return line.charAt(0).toLowerCase() + line.slice(1).replace(/[.:]$/, '')
}
