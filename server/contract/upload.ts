/** The answers of the hosted store to an upload (interface.md 2.9). */
import {
  always,
  anything,
  count,
  document,
  flag,
  list,
  nullable,
  object,
  oneOf,
  optional,
  text,
} from './schema.ts'

const columnChange = {
  column: text,
  change: oneOf('added', 'removed', 'type', 'nullable', 'pii', 'description'),
  old: anything,
  new: anything,
}

export const uploadSchema = document(
  'svc upload --json',
  object({
    success: always(true),
    assets_synced: count,
    lineage_edges_synced: count,
    schemas_synced: count,
    tests_synced: count,
    /** Absent in the answer of a store that has the counts alone. */
    upload: optional(
      object({
        id: nullable(count),
        dry_run: optional(always(true)),
        unchanged: flag,
        added: count,
        changed: count,
        removed: count,
        glossary_synced: count,
        warnings: list(object({ code: text, detail: text, pointer: optional(text) })),
      }),
    ),
    changes: optional(
      object({
        added: list(text),
        changed: list(object({ asset: text, columns: list(object({ ...columnChange, breaking: flag })) })),
        removed: list(text),
        policies: list(
          object({
            id: nullable(count),
            name: text,
            enforcement: text,
            breaches: list(
              object({ asset: text, column: text, root: object({ asset: text, column: text }), new: flag }),
            ),
          }),
        ),
        breaking: list(
          object({
            ...columnChange,
            asset_id: count,
            asset: text,
            affected: object({
              columns: list(object({ asset: text, column: text, depth: count, changed: flag })),
              assets: list(text),
              exposures: list(text),
            }),
          }),
        ),
      }),
    ),
  }),
)
