/** What a policy forbids, and what is said of a breach: of files, of what was fetched, of what is promoted. */
import type { ColumnOrigin } from '../analysis.ts'
import type { Engine } from '../engines/engine.ts'
import type { Policy } from '../glossary/glossary.ts'
import type { Mark } from './flow.ts'

/** Returns whether a column with this mark breaks the policy in an asset that it applies to. */
export function forbids({ enforcement, derived }: Policy, { grade }: Mark): boolean {
  return enforcement !== 'off' && (grade === 'personal' || derived === 'deny')
}

export interface ColumnBreach {
  readonly policy: Policy
  readonly column: string
  readonly mark: Mark
}

export function breachText(engine: Engine, asset: string, { policy, column, mark }: ColumnBreach): string {
  const because = `policy "${policy.name}"`
  if (isOwnColumn(engine, asset, column, mark)) return `"${column}" is personal data: ${because}`
  const how = mark.grade === 'derived' ? 'is derived from' : 'carries'
  return `"${column}" ${how} personal data, ${originText(mark.root)}: ${because}`
}

export function isOwnColumn({ sameName }: Engine, asset: string, column: string, { root }: Mark): boolean {
  return root.asset === asset && root.source === undefined && sameName(root.column, column)
}

/** Returns the rule of a policy as a sentence with a space behind it; '' if it has none. */
export function ruleOf({ rule }: Policy): string {
  const text = rule.trim().replace(/\s+/g, ' ')
  if (text === '') return ''
  return /[.!?]$/.test(text) ? `${text} ` : `${text}. `
}

export function originText({ asset, column, source }: ColumnOrigin): string {
  if (source === undefined) return `${asset}.${column}`
  return `${source === '' ? '' : `${source}.`}${column} from the source of ${asset}`
}
