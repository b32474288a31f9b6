/** The relations that a query may name which is no asset: one of a test, or of a metric. */
import type { ColumnOrigin, ProjectAnalysis } from '../analysis.ts'
import { testedFewValues } from '../checks/few-values.ts'
import { relation } from '../features/sql/bound-sql.ts'
import { readTagText } from '../features/sql/sql-world.ts'
import type { Project } from '../project/project.ts'
import type { TaggedRelation } from '../sql/binder/model.ts'
import type { SqlWorld } from '../sql/binder/world.ts'

/** `own`: the asset of `{{ this }}` and `{{ source }}`. */
export function queryWorld(
  { engine, byName }: Pick<Project, 'engine' | 'byName'>,
  analysis: ProjectAnalysis,
  own = '',
): SqlWorld {
  return {
    returnType: () => undefined,
    table(tag): TaggedRelation {
      const { word, argument } = readTagText(tag) ?? { word: '', argument: undefined }
      if (word === 'var')
        return { kind: 'value', name: '', asset: undefined, label: '', columns: [], open: undefined }
      if (word === 'source') {
        const origin = (column: string) => ({ asset: own, column, source: argument ?? '' })
        const source = { kind: 'source', name: `${own}__raw`, label: 'the source' } as const
        return relation({ ...source, columns: [], complete: false, origin }, engine)
      }
      const name = word === 'ref' ? (argument ?? '') : own
      const { columns = [], complete = false } = analysis.of(name) ?? {}
      const read = byName.get(name)
      const few = read && testedFewValues(read, engine)
      const origin = (column: string): ColumnOrigin => ({ asset: name, column })
      return relation(
        { kind: 'asset', name, asset: name, label: name, columns, complete, origin, few },
        engine,
      )
    },
  }
}
