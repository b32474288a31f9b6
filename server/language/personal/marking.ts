/** Decides with which columns personal data begins: those that files mark, or those that a policy names. */
import type { ColumnOrigin } from '../analysis.ts'
import type { Engine } from '../engines/engine.ts'
import type { Policy } from '../glossary/glossary.ts'
import { matches } from '../glossary/patterns.ts'

export interface Marking {
  /** Whether the marks in files count. */
  readonly declared: boolean
  /** Names of columns, also as `asset.column`, with `*` and `?`. */
  readonly names: readonly string[]
}

/** Returns the columns that a policy is about. */
export function policyMarking({ piiColumns }: Pick<Policy, 'piiColumns'>): Marking {
  return { declared: piiColumns.length === 0, names: piiColumns }
}

/** Returns everything that is personal for anybody: values of such columns are never shown. */
export function wholeMarking(policies: readonly Pick<Policy, 'piiColumns'>[]): Marking {
  return { declared: true, names: [...new Set(policies.flatMap(({ piiColumns }) => piiColumns))] }
}

export function isNamed({ names }: Marking, origin: ColumnOrigin, engine: Engine): boolean {
  return names.some(written => isName(written, origin, engine))
}

/** Returns whether an entry of `pii_columns` means a column. */
export function isName(written: string, { asset, column }: ColumnOrigin, { sameName }: Engine): boolean {
  const whole = `${asset}.${column}`
  if (sameName(written, column) || sameName(written, whole)) return true
  return /[*?]/.test(written) && (matches(written, column) || matches(written, whole))
}
