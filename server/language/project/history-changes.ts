/** What the changes of a definition mean for the rows that its loads have gathered. Stored definitions are all that it needs. */
import type { JsonValue } from '../schema/definition.ts'
import { type ClassedChange, classedChanges, type StoredSource } from '../sources/history-rules.ts'
import { sourceKinds } from '../sources/index.ts'

/** Returns the source of a stored definition (`canonicalDefinition`). */
export function storedSource(definition: string): StoredSource {
  const { ingest = {}, contract = {} } = JSON.parse(definition) as Partial<StoredSource>
  return { ingest, contract }
}

/** Whether loads of a source gather rows that it need not have any more. */
export function gathersRows({ ingest }: StoredSource): boolean {
  return ingest['write'] === 'append' || ingest['write'] === 'merge' || ingest['write'] === 'scd2'
}

/** Returns the changes that are about gathered rows, by key, sorted. */
export function historyChanges(before: StoredSource, after: StoredSource): readonly ClassedChange[] {
  return classedChanges(before, after, rulesOf)
}

function rulesOf(type: JsonValue | undefined) {
  return sourceKinds.find(({ variant }) => variant.value === type)?.history ?? {}
}
