/** The JSON output of `svc policy report`. */
import { count, document, flag, list, nullable, object, oneOf, text } from './schema.ts'

const flow = {
  asset: text,
  column: text,
  /** The value as it is; a part of it or made of it; only decided or counted by it. */
  grade: oneOf('direct', 'changed', 'derived'),
  /** The policies that watch it there. */
  policies: list(text),
  /** Those of them that it breaks. */
  breaches: list(text),
}

const storedGrade = oneOf('personal', 'derived', 'none')

export const policyReportSchema = document(
  'svc policy report --json',
  object({
    project: text,
    environment: text,
    /** Assets that may have further columns, of which nothing is known yet. */
    unknown: list(text),
    /** Files with errors, whose SQL may do what is not seen here. */
    broken: list(text),
    summary: object({ marks: count, columns: count, assets: count, breaches: count, strict_breaches: count }),
    policies: list(
      object({
        name: text,
        rule: text,
        enforcement: oneOf('strict', 'warn', 'off'),
        derived: oneOf('allow', 'deny'),
        pii_columns: list(text),
        applies_to: list(text),
        marks: count,
        breaches: count,
      }),
    ),
    marks: list(
      object({
        asset: text,
        column: text,
        /** Null for a column of the asset itself; empty for its source, else the child table of the source. */
        source: nullable(text),
        /** Whether a file marks it; otherwise only policies name it. */
        declared: flag,
        /** The file of the asset, with the line and the column of the mark if the file has one. */
        place: text,
        policies: list(text),
        /** `masked`: svc shows no value of it. */
        flows: list(object({ ...flow, masked: flag })),
        exemptions: list(object({ asset: text, column: text, reason: oneOf('pii: false', 'k_anonymity') })),
        destinations: list(object({ ...flow, target: text, type: nullable(text) })),
        exposures: list(
          object({ asset: text, name: text, type: text, url: nullable(text), columns: list(text) }),
        ),
      }),
    ),
    /** Where the live builds differ from the files; null without a warehouse. */
    builds: nullable(
      list(object({ asset: text, column: text, build: storedGrade, files: storedGrade, unknown: flag })),
    ),
  }),
)
