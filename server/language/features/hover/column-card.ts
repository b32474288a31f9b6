/** The hover card of a column: type, description, origin, term, policies, tests. */
import type { ColumnOrigin } from '../../analysis.ts'
import { columnReach } from '../../lineage/column-path.ts'
import { lineageBelow } from '../../lineage/edges.ts'
import type { Knowledge } from '../knowledge.ts'
import { asCode, asMarkdown, paragraphs, sqlBlock } from '../markdown.ts'
import {
  descriptionOf,
  originLines,
  personalBy,
  policiesOf,
  termOfColumn,
  testsOn,
  typeOfColumn,
} from './column-facts.ts'
import { testInWords } from './test-text.ts'

export interface CardColumn {
  /** The name at the place of the hover. */
  readonly name: string
  readonly type: string | undefined
  /** The column of an asset or source; undefined if an expression of this SQL makes it. */
  readonly origin: ColumnOrigin | undefined
  /** The role in the SQL, in words: `column of CTE late`. */
  readonly role: string
  /** The SQL that makes it, if it is written nearby. */
  readonly sql?: string | undefined
}

export function columnCard(knowledge: Knowledge, column: CardColumn): string {
  const { name, origin } = column
  const type = column.type ?? (origin && typeOfColumn(knowledge, origin))
  const head = sqlBlock(`${name} ${type ?? '-- type not known yet'}`)
  if (origin === undefined) {
    return paragraphs([head, asMarkdown(column.role), column.sql && sqlBlock(column.sql)])
  }
  return paragraphs([
    head,
    column.role === '' ? shownOrigin(origin) : `${asMarkdown(column.role)} · ${shownOrigin(origin)}`,
    ...aboutOrigin(knowledge, origin),
    type === undefined ? unknownType(knowledge, origin) : undefined,
  ])
}

/** Returns the facts that do not depend on where the column is mentioned. */
export function aboutOrigin(knowledge: Knowledge, origin: ColumnOrigin): readonly string[] {
  const description = descriptionOf(knowledge, origin)
  const personal = personalBy(knowledge, origin)
  return [
    description === undefined
      ? ''
      : `${asMarkdown(description.text)}${description.from === undefined ? '' : ` *(as ${asCode(description.from)} says)*`}`,
    personalText(origin, personal),
    termText(knowledge, origin),
    policyText(knowledge, origin, personal.length > 0),
    originText(knowledge, origin),
    rowsText(knowledge, origin),
    reachText(knowledge, origin),
    testText(knowledge, origin),
  ].filter(part => part !== '')
}

function shownOrigin({ asset, column, source }: ColumnOrigin): string {
  if (source === undefined) return asCode(`${asset}.${column}`)
  const table = source === '' ? 'the source' : `source ${asCode(source)}`
  return `${asCode(column)} of ${table} of ${asCode(asset)}`
}

function personalText(origin: ColumnOrigin, personal: readonly ColumnOrigin[]): string {
  const [first] = personal
  if (first === undefined) return ''
  const isOwn =
    first.asset === origin.asset && first.source === origin.source && first.column === origin.column
  return isOwn ? '**Personal data**' : `**Personal data**, from ${shownOrigin(first)}`
}

function termText(knowledge: Knowledge, origin: ColumnOrigin): string {
  const use = termOfColumn(knowledge, origin)
  if (use === undefined) return ''
  const role = use.role === undefined ? '' : ` (${use.role.replace('_', ' ')})`
  const meaning = use.term.description === '' ? '' : `: ${asMarkdown(use.term.description)}`
  return `Term **${asMarkdown(use.term.name)}**${role}${meaning}`
}

function policyText(knowledge: Knowledge, origin: ColumnOrigin, personal: boolean): string {
  return policiesOf(knowledge, origin, personal)
    .map(
      ({ name, rule, enforcement }) =>
        `Policy **${asMarkdown(name)}** (${enforcement})${rule === '' ? '' : `: ${asMarkdown(rule)}`}`,
    )
    .join('\n\n')
}

function originText(knowledge: Knowledge, origin: ColumnOrigin): string {
  const lines = originLines(knowledge, origin, shownOrigin)
  return lines.length === 0 ? '' : `Where it comes from:\n\n${lines.join('\n')}`
}

const mostNamed = 8

/** Says which columns decide the rows that it is in. */
function rowsText({ analysis }: Knowledge, { asset, source }: ColumnOrigin): string {
  const uses = source === undefined ? (analysis.of(asset)?.rowUses ?? []) : []
  if (uses.length === 0) return ''
  return `Its rows are decided by ${listed(uses.map(({ origin, clauses }) => `${shownOrigin(origin)} (${clauses.join(', ')})`))}`
}

/** Says what breaks, or is another one, when it goes: the same as its path on the page and the plan. */
function reachText({ project, analysis }: Knowledge, { asset, column, source }: ColumnOrigin): string {
  if (source !== undefined || !project.byName.has(asset)) return ''
  const reach = columnReach(lineageBelow(asset, project, analysis), asset, column)
  if (reach === undefined) return ''
  const ends = [
    ...reach.columns.map(each => asCode(`${each.asset}.${each.column}`)),
    ...reach.uses.map(use => `rows of ${asCode(use.asset)} (${use.clauses.join(', ')})`),
    ...reach.targets.map(({ target }) => `target ${asCode(target)}`),
    ...reach.exposures.map(({ exposure }) => `exposure ${asMarkdown(exposure)}`),
  ]
  return ends.length === 0 ? '' : `Where it goes: ${listed([...new Set(ends)])}`
}

function listed(names: readonly string[]): string {
  const more = names.length - mostNamed
  return more > 1 ? `${names.slice(0, mostNamed).join(', ')} and ${more} more` : names.join(', ')
}

function testText(knowledge: Knowledge, { asset, column, source }: ColumnOrigin): string {
  const holder = source === undefined ? knowledge.project.byName.get(asset) : undefined
  const tests = holder === undefined ? [] : testsOn(holder, column, knowledge.project.engine)
  return tests.length === 0 ? '' : `Tests: ${tests.map(testInWords).join(' · ')}`
}

/** Explains why the type is unknown. */
function unknownType(knowledge: Knowledge, { asset, source }: ColumnOrigin): string {
  const holder = knowledge.project.byName.get(asset)
  if (holder === undefined) return `*There is no asset ${asCode(asset)}.*`
  const rests = source !== undefined || holder.definition.ingest.type !== 'none'
  return rests
    ? `*Its type is known once the source was loaded: ${asCode(`svc run ${asset}`)}, or give it in ${asCode('contract.columns')}.*`
    : '*Its type depends on columns that are not known yet.*'
}
