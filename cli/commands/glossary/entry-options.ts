/** The keys of an entry as options, and their values. */
import { type EntryKey, type EntryKind, type EntryValue, entryShapes, parseCsv } from '@svc/server/language'
import { SvcError } from '../../engine/errors.ts'
import type { OptionHelp } from '../../render/help.ts'
import type { Options } from '../options.ts'

/** What an option of `glossary add-…` is for, in the words of help. */
const summaries: Readonly<Record<string, string>> = {
  description: 'what it means',
  synonyms: 'other names, separated by commas',
  owner: 'who answers for it, as an address',
  sql_definition: "how it is computed; {{ ref('asset') }} names what it reads",
  time_grain: 'the period that one value covers',
  source_assets: 'assets that it draws on, separated by commas',
  values: 'the values that it may have, separated by commas',
  type: 'what kind of values it has',
  rule: 'the rule in plain words',
  pii_columns: 'personal columns, with * and ?; else all marked pii',
  applies_to: 'assets that must not have them: marts.*, tag:x; else all',
  enforcement: 'what a breach is',
  derived: 'whether columns derived from personal data count too',
}

/** The placeholder of a value. */
const placeholders: Readonly<Record<string, string>> = {
  description: 'text',
  rule: 'text',
  sql_definition: 'sql',
  owner: 'address',
}

export function entryOptions(kind: EntryKind): readonly OptionHelp[] {
  const { keys, prefix } = entryShapes[kind]
  return keys.filter(({ name }) => name !== 'name').map(key => optionOf(key, prefix))
}

function optionOf(key: EntryKey, prefix: string): OptionHelp {
  const { name, isList, choices, default: fallback } = key
  const option = name.replaceAll('_', '-')
  if (name === 'id') {
    return { name: option, value: 'id', summary: `identifier; ${prefix}.<name> when absent` }
  }
  const value = isList ? 'list' : (placeholders[name] ?? option.replace(/^.*-/, ''))
  const standard = fallback === undefined ? '' : ` (${fallback} when absent)`
  return {
    name: option,
    value,
    summary: `${summaries[name] ?? key.doc}${standard}`,
    ...(choices !== undefined && { choices }),
    ...(isList && { repeatable: true }),
  }
}

/** Returns what was given, by key; undefined for what was not. */
export function givenFields(kind: EntryKind, options: Options): Record<string, EntryValue | undefined> {
  return Object.fromEntries(
    entryShapes[kind].keys
      .filter(({ name }) => name !== 'name')
      .map(key => {
        const option = key.name.replaceAll('_', '-')
        if (!key.isList) return [key.name, options.text(option)?.trim()]
        const items = options.texts(option).flatMap(text => listItems(text, `--${option}`))
        return [key.name, items.length === 0 ? undefined : items]
      }),
  )
}

/** Splits at commas as CSV does: an item in double quotes may have some of its own. */
export function listItems(text: string, where: string): readonly string[] {
  const { rows, problems } = parseCsv(text)
  if (problems.length > 0 || rows.length > 1) {
    throw new SvcError(
      'wrong-usage',
      `${where} is no list: ${problems[0]?.message ?? 'it has several lines'}`,
      {
        hint: 'Items are separated by commas; one with a comma goes in double quotes.',
      },
    )
  }
  return (rows[0]?.cells ?? []).map(cell => cell.trim()).filter(cell => cell !== '')
}
