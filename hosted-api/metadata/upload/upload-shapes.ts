/** The parameters of an upload, and its answer. */
import { Type } from '@sinclair/typebox'
import { Count, closed, oneOf, orNull, RecordId, Warning } from '../../http/index.ts'
import { sourcePattern, sourceRule } from '../pack/pack-schema.ts'
import { ColumnChange } from '../read/schemas.ts'
import { glossaryModes } from './glossary-entries.ts'

export const UploadQuery = closed({
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
  glossary: Type.Optional(
    oneOf(glossaryModes, {
      description: 'overwrite: also records edited here; it needs the scope glossary:write.',
    }),
  ),
})

/** interface.md 2.9 */
export const UploadCounts = Type.Object({
  assets_synced: Count,
  lineage_edges_synced: Count,
  schemas_synced: Count,
  tests_synced: Count,
})

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

const ColumnName = Type.Object({ asset: Type.String(), column: Type.String() })

export const BreakingChange = Type.Object({
  asset_id: RecordId,
  asset: Type.String(),
  column: Type.String(),
  change: oneOf(['removed', 'type', 'nullable']),
  old: Type.Unknown(),
  new: Type.Unknown(),
  affected: Type.Object({
    columns: Type.Array(
      Type.Object({
        ...ColumnName.properties,
        depth: Count,
        /** Whether the pack changes or removes this asset too. */
        changed: Type.Boolean(),
      }),
    ),
    /** They read the asset, but which of its columns is unknown. */
    assets: Type.Array(Type.String()),
    exposures: Type.Array(Type.String()),
  }),
})

export const BrokenPolicy = Type.Object({
  id: orNull(RecordId),
  name: Type.String(),
  enforcement: Type.String(),
  breaches: Type.Array(Type.Object({ ...ColumnName.properties, root: ColumnName, new: Type.Boolean() })),
})

export const DryRun = Type.Object({
  added: Type.Array(Type.String()),
  changed: Type.Array(Type.Object({ asset: Type.String(), columns: Type.Array(ColumnChange) })),
  removed: Type.Array(Type.String()),
  breaking: Type.Array(BreakingChange),
  policies: Type.Array(BrokenPolicy),
})

export const UploadAnswer = Type.Object({
  success: Type.Literal(true),
  ...UploadCounts.properties,
  upload: UploadRecord,
  changes: Type.Optional(DryRun),
})
