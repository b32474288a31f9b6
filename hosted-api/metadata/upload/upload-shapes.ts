/** The parameters of an upload, and its answer. */
import { Type } from '@sinclair/typebox'
import { oneOf, orNull, RecordId, Warning } from '../../http/index.ts'
import { sourcePattern, sourceRule } from '../pack/pack-schema.ts'
import { glossaryModes } from './glossary-entries.ts'

export const UploadParams = Type.Object({ project: RecordId })

export const UploadQuery = Type.Object(
  {
    source: Type.Optional(
      Type.String({
        pattern: sourcePattern,
        rule: sourceRule,
        description: 'Origin of a pack that is posted as it is.',
      }),
    ),
    dry_run: Type.Optional(
      Type.Boolean({ description: 'Report what would change and what it breaks; write nothing.' }),
    ),
    rebind: Type.Optional(Type.Boolean({ description: 'Take a pack of another project id.' })),
    glossary: Type.Optional(oneOf(glossaryModes, { description: 'overwrite: also records edited here.' })),
  },
  { additionalProperties: false },
)

export const Count = Type.Integer({ minimum: 0 })

/** The counts of an upload. */
export const counts = {
  assets_synced: Count,
  lineage_edges_synced: Count,
  schemas_synced: Count,
  tests_synced: Count,
}

const UploadRecord = Type.Object({
  id: orNull(RecordId),
  dry_run: Type.Optional(Type.Literal(true)),
  unchanged: Type.Boolean(),
  added: Count,
  changed: Count,
  removed: Count,
  glossary_synced: Count,
  warnings: Type.Array(Warning),
})

const ColumnChange = Type.Object({
  column: Type.String(),
  change: oneOf(['added', 'removed', 'type', 'nullable', 'pii', 'description']),
  old: Type.Unknown(),
  new: Type.Unknown(),
  breaking: Type.Boolean(),
})

const BreakingChange = Type.Object({
  asset_id: RecordId,
  asset: Type.String(),
  column: Type.String(),
  change: oneOf(['removed', 'type', 'nullable']),
  old: Type.Unknown(),
  new: Type.Unknown(),
  affected: Type.Object({
    columns: Type.Array(
      Type.Object({ asset: Type.String(), column: Type.String(), depth: Count, changed: Type.Boolean() }),
    ),
    assets: Type.Array(Type.String()),
    exposures: Type.Array(Type.String()),
  }),
})

const ColumnName = Type.Object({ asset: Type.String(), column: Type.String() })

const BrokenPolicy = Type.Object({
  id: orNull(RecordId),
  name: Type.String(),
  enforcement: Type.String(),
  breaches: Type.Array(
    Type.Object({ asset: Type.String(), column: Type.String(), root: ColumnName, new: Type.Boolean() }),
  ),
})

export const UploadAnswer = Type.Object({
  success: Type.Literal(true),
  ...counts,
  upload: UploadRecord,
  changes: Type.Optional(
    Type.Object({
      added: Type.Array(Type.String()),
      changed: Type.Array(Type.Object({ asset: Type.String(), columns: Type.Array(ColumnChange) })),
      removed: Type.Array(Type.String()),
      breaking: Type.Array(BreakingChange),
      policies: Type.Array(BrokenPolicy),
    }),
  ),
})
