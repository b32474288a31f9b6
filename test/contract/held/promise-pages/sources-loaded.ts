/** The promises of docs/sources.md about what becomes of it: increments, versions, columns, masks. */
import { by, type PageEntries } from '../held.ts'

const identity = 'engine/run/identity.test.ts'
const files = 'engine/ingest/files.test.ts'
const textLayouts = 'engine/run/text-layouts.test.ts'
const onlyNew = 'engine/run/only-new.test.ts'
const pages = 'docs/pages.test.ts'
const pagePromises = 'cli/page-promises.test.ts'
const incrementalDatabases = 'engine/run/incremental-databases.test.ts'
const warehouseSource = 'cli/warehouse-source.test.ts'
const changedBy = 'cli/changed-by.test.ts'
const incremental = 'engine/run/incremental.test.ts'
const cursorOrder = 'engine/run/cursor-order.test.ts'
const cursorConflict = 'language/specs/cursor-conflict.md'
const history = 'engine/run/history.test.ts'
const edits = 'engine/run/edits.test.ts'
const longEdits = 'long/edits.test.ts'
const planRefusals = 'cli/plan-refusals.test.ts'
const discover = 'cli/discover.test.ts'
const emptyLists = 'engine/ingest/empty-lists.test.ts'
const childContracts = 'engine/ingest/child-contracts.test.ts'
const rawTables = 'language/source/raw-tables.test.ts'
const jsonNumbers = 'engine/ingest/json-numbers.test.ts'
const structs = 'engine/ingest/structs.test.ts'
const mask = 'engine/ingest/mask.test.ts'
const quickFixes = 'language/features/quick-fixes.test.ts'
const maskConflict = 'language/specs/mask-conflict.md'
const declaredTypes = 'engine/run/declared-types.test.ts'
const sources = 'engine/run/sources.test.ts'

export const loadedPromises: PageEntries['held'] = {
  '8a98d4 scan (default) any of them': by(
    warehouseSource,
    'builds on the table, again when its rows are others and not when only their order is',
  ),
  'ae7c71 a column its greatest value': by(
    changedBy,
    'tells a change by a column, or not at all, and the run and the plan say so',
  ),
  '6aeb6a never never, for tables that': by(
    changedBy,
    'tells a change by a column, or not at all, and the run and the plan say so',
  ),
  'e8edd9 Other columns or types are': [
    ...by(changedBy, 'never brings back what an earlier rule took as unchanged'),
    ...by(warehouseSource, 'widens a type, and refuses one that has become text'),
  ],
  '1cee0e Every run and every plan': by(
    changedBy,
    'tells a change by a column, or not at all, and the run and the plan say so',
  ),
  '48af7e Nothing of the table is': by(
    warehouseSource,
    'names the table itself in a production view, and hides what is left out',
    'leaves the table alone: promotion, rollback, removal of the asset, collection',
  ),
  'ab8443 When it changes. A column': by(
    warehouseSource,
    'stops at a column that was dropped, before anything is promoted',
  ),
  '9e7549 svc discover warehouse --all writes': by(
    warehouseSource,
    'is discovered: all tables of others, each with its key and its types',
  ),
  '0be68a By default each run fetches': by(
    identity,
    'a source with other content is loaded again, with the same content it is not',
  ),
  '950607 cursor a column that grows': [
    ...by(incremental, 'is a text that sorts like a time, too'),
    ...by(incrementalDatabases, 'sends the rows from the cursor "%s" on'),
  ],
  'b5f247 Whatever comes, only records from': by(
    incremental,
    'adds each record once, also those that come late with the last value',
    'is asked for what is new, and only its new records are fetched',
  ),
  '2fa210 A load that brings nothing': by(
    incremental,
    'changes nothing when the source has nothing new, though it brings the last records again',
  ),
  '406ec9 A time more than a': by(
    incremental,
    'does not move beyond the clock: a time far in the future passes over nothing, and is told',
  ),
  'b9d4e4 Such a record is loaded': by(
    incremental,
    'does not move beyond the clock: a time far in the future passes over nothing, and is told',
    'stays at the start as long as all its values are far in the future',
  ),
  '560338 A record without a value': by(incremental, 'has to be a column that every record has'),
  '3c9f5d They change nothing about what': by(
    incremental,
    'whatever changes at the source, production has the newest version of every record',
  ),
  '46b563 order: desc its records come': by(
    cursorOrder,
    'no page is asked for behind the one that reaches the load before',
  ),
  'f545d9 order: asc with limits.max_rows a': by(
    cursorOrder,
    'a limit ends a load, and the next one goes on there',
  ),
  '60639b window: 10000 is refused: nothing': by(
    cursorConflict,
    'A window of a web service needs where it begins and ends',
  ),
  '1a2025 A limit that lets through': by(
    cursorOrder,
    'a limit that lets nothing new through is an error, and no standstill',
  ),
  '38bb04 Where a database has nothing': by(
    incrementalDatabases,
    'is read in windows of "%s", and then in order as far as a limit allows',
  ),
  '481eae Texts have no order and': [
    ...by(cursorConflict, 'A database has an order, and no parts beside it'),
    ...by(incremental, 'SQLite has windows of numbers, and says that it has none of times'),
  ],
  'e9737a With write: scd2 the table': by(
    history,
    'a changed record begins a version, a record that is gone ends, and one that comes back begins anew',
  ),
  'a98c16 is as it was nothing': by(history, 'the same records change nothing, and nothing is built'),
  '277c31 With incremental or only_new a': by(
    history,
    'begin versions by their key; what does not come stays valid',
  ),
  '7285a9 A version never ends before': by(
    history,
    'never end before they begin, however far behind the clock of the machine is',
  ),
  '37d9e4 Lists of objects become tables': by(
    history,
    'lists of objects are refused, and kept as JSON where that is asked for',
  ),
  '3b3282 Under append every record of': by(
    onlyNew,
    'records of new files are added, also such as are there already, and no file is read twice',
    'a primary key keeps records that are there from being added again',
  ),
  '8fef43 descriptions, pii , limits, credentials,': [
    ...by(edits, 'what was gathered is kept, or counted and asked for'),
    ...by(longEdits, 'edits of sources that gather rows'),
  ],
  'd78e10 append to merge or back;': [
    ...by(edits, 'what was gathered is kept, or counted and asked for'),
    ...by(longEdits, 'edits of sources that gather rows'),
  ],
  '9bc176 ingest.on_change: fail the default': [
    ...by(edits, 'what was gathered is kept, or counted and asked for'),
    ...by(planRefusals, 'another source is refused, with the rows, the key and what to do'),
  ],
  '296c7c A column that cannot be': [
    ...by(edits, 'what was gathered is kept, or counted and asked for'),
    ...by(longEdits, 'edits of sources that gather rows'),
  ],
  '80fcde From a database come the': by(
    discover,
    'gives an asset its key, types, comments and personal columns, and the tests hold',
  ),
  '4d09c2 write: merge with incremental is': by(
    discover,
    'is asked for what has changed alone, if it was seen to filter by it',
    'where the parameter is %s, it is a suggestion',
    'a table that promises a time of the last change is asked for what has changed',
  ),
  '566e0e A list that is empty': [
    ...by(emptyLists, 'has an empty list in it'),
    ...by(childContracts, 'is there, empty, with its types'),
  ],
  'cf862a nested: json loads every nested': by(
    rawTables,
    'keep every nested value as JSON in mode json, and below the depth',
  ),
  'a48a33 Fractions are DOUBLE where each': by(
    jsonNumbers,
    '%s makes the column a decimal, unless another type is promised',
  ),
  'd04649 Where no decimal holds all': by(
    jsonNumbers,
    '%s is rounded with a warning where no decimal holds all of the column',
    'in a list is told too, and is text in a document',
  ),
  'e6a736 A field of which only': by(
    structs,
    'below the depth are JSON, where nothing can be left out',
    'keeps objects and lists with typed fields, as the check of the file says',
  ),
  'e7b758 A name is that of': by(
    mask,
    'is masked in columns, child tables and lists, and nothing else changes',
    'may be of a column that an earlier load had, that the contract names, or a pattern',
  ),
  '0b472c A name (without ) that': [...by(mask, 'stores nothing'), ...by(quickFixes, 'mask-without-column')],
  '240bb6 partial com : the last': by(mask, 'hides the same in memory and in SQL, whatever the text'),
  'f0f2ed With hash equal values stay': by(
    mask,
    'every kind of source gives the same',
    'takes a key that is longer than a block of the hash',
  ),
  'edeb32 A cursor cannot be masked,': by(
    maskConflict,
    'What is needed as it is cannot be masked',
    'A key that becomes a hash is repaired',
  ),
  'cf1e95 What a fetch has in': by(
    pagePromises,
    'while a source is fetched the warehouse is open to others, and what has come to its owner alone',
  ),
  'a8e315 Where a number stands, it': by(
    pages,
    'show of %s what tests show, and nothing that the checks refuse',
  ),
  'b9a18e all of it, at every': by(pages, 'show of %s what tests show, and nothing that the checks refuse'),
  '368868 limits.max_rows yes yes yes yes': by(
    pages,
    'show of %s what tests show, and nothing that the checks refuse',
  ),
  '5c3cf2 ¹ It is read where': by(pages, 'show of %s what tests show, and nothing that the checks refuse'),
  '4b8669 A load that limits.max_rows ends': [
    ...by(files, 'stops at max_rows, and warns that the table is a part of the file'),
    ...by(cursorOrder, 'a limit ends a load, and the next one goes on there'),
  ],
  '7933bf With enforce_types , a record': by(
    declaredTypes,
    'with enforce_types the same values fail the asset',
    'with max_rejects more of them fail it',
  ),
  '575e96 svc writes the columns that': [
    ...by(sources, 'a run leaves no spool behind and writes down what the sources look like'),
    ...by(textLayouts, 'has its layout written once, and the same way is no news'),
  ],
}
