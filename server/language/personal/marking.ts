/** Decides with which columns personal data begins: those that files mark, or those that a policy names. */
import type { ColumnOrigin } from '../analysis.ts'
import type { Engine } from '../engines/engine.ts'
import { getOrInsertComputed } from '../get-or-insert.ts'
import type { Policy } from '../glossary/glossary.ts'
import { anyOf } from '../glossary/patterns.ts'

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
  const ofEngine = getOrInsertComputed(tests, engine, () => new WeakMap<readonly string[], NameTest>())
  return getOrInsertComputed(ofEngine, names, () => nameTest(names, engine))(origin)
}

type NameTest = (origin: ColumnOrigin) => boolean

/** Each list is asked about every column. */
const tests = new WeakMap<Engine, WeakMap<readonly string[], NameTest>>()

/** Returns a test of columns: whether an entry of `pii_columns` means it. */
export function nameTest(names: readonly string[], engine: Engine): NameTest {
  const folded = new Set(names.map(engine.fold))
  const isLike = anyOf(names.filter(isNamePattern))
  return ({ asset, column }) =>
    [column, `${asset}.${column}`].some(name => folded.has(engine.fold(name)) || isLike(name))
}

/** Returns whether an entry of `pii_columns` may mean several columns. */
export function isNamePattern(written: string): boolean {
  return /[*?]/.test(written)
}
