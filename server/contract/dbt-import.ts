/** The `--json` output of `svc import dbt`. */
import { count, document, flag, list, nullable, object, oneOf, text } from './schema.ts'

export const importDbtSchema = document(
  'svc import dbt --json',
  object({
    project: text,
    target: text,
    written: flag,
    assets: list(
      object({ name: text, kind: oneOf('model', 'seed', 'source'), path: text, from: text, tests: count }),
    ),
    files: list(text),
    counts: object({
      models: count,
      seeds: count,
      sources: count,
      tests: count,
      unit_tests: count,
      exposures: count,
    }),
    notes: list(
      object({
        level: oneOf('todo', 'changed', 'left_out'),
        path: text,
        line: count,
        column: count,
        message: text,
        hint: nullable(text),
        asset: nullable(text),
      }),
    ),
  }),
)
