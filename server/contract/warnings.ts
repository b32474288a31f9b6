/**
 * The warnings of runs (decisions 9, "Nothing in silence"): what is not as expected of a source, a load or a target, and is no
 * reason to refuse it. A warning is an event with a code, and what can be counted in it is a number, so that no program
 * has to read the sentence.
 */
import { count, nullable, object, oneOf, optional, place, type Shape, text } from './schema.ts'

/** code -> what it means, in one sentence, for the reference. */
export const warningCodes = {
  'absent-column': 'A column that the contract promises is not in the source, and is NULL in every row.',
  'changed-files': 'Files that were loaded once have changed since, and their records are loaded again.',
  'clock-behind':
    'The clock of this machine is behind that of the last load, whose versions would end before they begin.',
  'column-doc-unknown': 'A column is documented that the asset does not deliver.',
  'contract-without-source': 'An asset without a source has a contract, which nothing checks.',
  'table-option-idle': 'A key of `deploy` asks for what the engine does not have, and is passed over.',
  'defaults-unmatched': 'A pattern of `defaults` in `svc.yaml` fits no asset, and its keys are passed over.',
  'empty-files': 'Files without even a header brought no records.',
  'empty-lines': 'Empty lines between the records of a text file are no records.',
  'ended-sessions':
    'A promotion ended sessions that did nothing in an open transaction and held its views, as `promotion.blockers` says.',
  'equal-records':
    'Records that came more than once, with the same key and the same values, are loaded once.',
  'failed-test': 'A test failed on the build that is published.',
  'file-passed-over':
    'A file looks as if it belonged to the project and is not read: its name ends in `.SVC`, or it is a link that leads nowhere.',
  'future-cursor':
    'Records lie further in the future than their clock can: each load reads what comes behind them again.',
  'guessed-header':
    'A line of a text file is taken for its header, or for a record, and could as well be the other, or a comment.',
  'kept-pages-lost': 'What an interrupted fetch had kept could not be used, and the fetch began anew.',
  'kept-rows': 'Rows of earlier loads lack what the definition of their source says now.',
  'layout-changed': 'A text file is read in another way than the files that were promoted before it.',
  'left-at-target': 'What an earlier publish left half written at its target could not be taken away.',
  'limited-pages': 'A fetch ended at `paginate.max_pages`, and the source has more pages.',
  'limited-rows': 'A load ended at `limits.max_rows`, and the source may have more.',
  'lost-history':
    'What the loads of an asset have gathered goes: its file is gone, its source is another one, or a full refresh begins anew.',
  'mass-change': 'A publish would change more rows than `max_change` allows, and would be refused.',
  'more-pages': 'Answers of a web service say that there are more records than were loaded.',
  'null-records': 'Records of the source are null: each is a row of NULLs.',
  'renamed-files':
    'Files have the content of files that were loaded under other names and are gone; their records are not added again.',
  'numbers-as-text':
    'Numbers have more digits than a decimal or a DOUBLE holds, or are none: they are loaded as texts.',
  'policy-breach': 'A policy with `enforcement: warn` is broken.',
  'policy-without-asset': 'A policy applies to no asset.',
  'policy-without-column': 'A policy names a column that no asset has.',
  'rejected-records': 'Records or values are left out by a contract; `svc rejects` shows them.',
  'repeated-header': 'Records of a text file repeat its header.',
  'replaced-characters': 'Halves of characters, which no text can hold, were replaced by U+FFFD.',
  'rounded-numbers':
    'Numbers of a column have more digits than a DOUBLE holds, and are loaded as the nearest ones.',
  'selector-unmatched': 'A selector in `svc.yaml` selects no asset.',
  'sent-again':
    'Rows of which an earlier publish got no answer are sent in other batches, and a target without keys may have them twice.',
  'skipped-lines': 'Lines above the header of a text file were passed over.',
  'skipped-responses': 'Responses of a web service were passed over, as `on_status` says.',
  'sql-bracketed-name': 'A column in square brackets is a list with one value, not a quoted name.',
  'sql-duplicate-column': 'Two columns of an asset have the same name, and the engine renames the second.',
  'sql-null-comparison': 'SQL compares with NULL by `=` or `<>`, which is never true.',
  'sql-shadowed-column': 'SQL reads a name that two columns of a subquery have, and gets the first.',
  'state-migrated':
    'The state tables of the warehouse were changed to those of this svc, and an older svc refuses them from now on.',
  'stale-build': 'What is published is an earlier build: the last run did not renew it.',
  'target-replaced':
    'The target of a publish is not the table that the last publish wrote to, and all rows are sent to it.',
  'unknown-environment': 'A key names an environment that there is not, and means nothing.',
  'unknown-placeholder': 'Braces in a request that are no tag are sent as they are written.',
  'unknown-var': 'A variable has a value in some environments alone, or in one and is none of the project.',
  'unsettled-views':
    'Production is new, and transactions of readers keep some views from their last step, which the next run makes.',
  'unmatched-pattern': 'Nothing in the source matches a name of `include`, `exclude` or `mask`.',
  'warned-test': 'A test with `severity: warn` fails on what was built.',
  'unreachable-link': 'Links in a folder of files lead nowhere.',
} as const satisfies Readonly<Record<string, string>>

export type WarningCode = keyof typeof warningCodes

export const warningProperties = {
  code: oneOf(...(Object.keys(warningCodes) as WarningCode[])),
  /** Null if it is about no single asset. */
  asset: nullable(text),
  message: text,
  hint: optional(nullable(text)),
  /** How many records, values, files or lines it is about, if they can be counted. */
  count: optional(count),
  /** The first of them, never a personal value. */
  example: optional(text),
  place: optional(nullable(place)),
}

export const Warning = object(warningProperties)
export type Warning = Shape<typeof Warning>
