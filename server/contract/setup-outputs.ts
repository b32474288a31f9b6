/** The `--json` outputs of the commands that set up a project. */
import { count, document, list, object, oneOf, optional, text } from './schema.ts'

export const initSchema = document(
  'svc init --json',
  object({
    root: text,
    created: list(text),
    warehouse: text,
    environment: text,
    assets: count,
    adopted: optional(text),
    /** State tables that were gone although others were there, and are there again, empty. */
    restored: list(text),
    /** Versions of the state tables: a svc that knows only the former one refuses them from now on. */
    migrated: optional(object({ from: count, to: count })),
  }),
)

export const agentsSchema = document(
  'svc agents --json',
  object({
    path: text,
    /** With --check and --no-write nothing is written. */
    status: oneOf('written', 'unchanged', 'outdated'),
    /** The part of the file that svc writes. */
    text,
  }),
)

export const createAssetSchema = document('svc create asset --json', object({ path: text }))
