/** The `--json` outputs of the commands of `svc glossary`. */
import { linkRole, metricProperties } from './parts.ts'
import { anyOf, count, document, flag, list, nullable, object, oneOf, text } from './schema.ts'

const kind = oneOf('term', 'metric', 'dimension', 'policy')
/** A text, or the items of a list; null if the key is not there. */
const value = nullable(anyOf([text, list(text)]))
const named = { id: text, name: text, description: text }
const success = flag
const path = text
const changedFields = list(object({ key: text, old: value, new: value }))
/** What is wrong from now on, in words: a pattern that fits nothing, a breach of a policy. */
const warnings = list(text)

export const addTermSchema = document(
  'svc glossary add-term --json',
  object({
    success,
    path,
    term: object({ ...named, synonyms: list(text), owner: nullable(text) }),
    warnings,
  }),
)

export const addMetricSchema = document(
  'svc glossary add-metric --json',
  object({
    success,
    path,
    metric: object({ ...named, ...metricProperties }),
    warnings,
  }),
)

export const addDimensionSchema = document(
  'svc glossary add-dimension --json',
  object({ success, path, dimension: object({ ...named, values: list(text), type: text }), warnings }),
)

export const addPolicySchema = document(
  'svc glossary add-policy --json',
  object({
    success,
    path,
    policy: object({
      id: text,
      name: text,
      rule: text,
      pii_columns: list(text),
      applies_to: list(text),
      enforcement: text,
      derived: text,
    }),
    warnings,
  }),
)

export const editSchema = document(
  'svc glossary edit --json',
  object({
    success,
    kind,
    id: text,
    changes: changedFields,
    /** The files that were written. */
    paths: list(text),
    warnings,
  }),
)

export const removeSchema = document(
  'svc glossary remove --json',
  object({
    success,
    kind,
    id: text,
    /** What named the term, and went with it. */
    references: list(object({ path, asset: text, column: nullable(text) })),
    /** The assets that a removed policy was about. */
    covered: list(text),
    paths: list(text),
  }),
)

const writtenLink = object({
  term: text,
  term_name: text,
  asset: text,
  column: nullable(text),
  role: linkRole,
})

export const linkTermSchema = document(
  'svc glossary link-term --json',
  object({
    success,
    path,
    created: flag,
    /** Whether it was there with another role. */ changed: flag,
    link: writtenLink,
  }),
)

export const unlinkTermSchema = document(
  'svc glossary unlink-term --json',
  object({ success, path, link: writtenLink }),
)

const anyKind = oneOf('term', 'metric', 'dimension', 'policy', 'link')

export const importSchema = document(
  'svc glossary import --json',
  object({
    success,
    /** The file that was read, and its form. */
    file: text,
    format: oneOf('csv', 'svc', 'datahub', 'openmetadata'),
    /** Whether glossary.yaml was written. */
    written: flag,
    /** `conflicts`: what the file says otherwise than glossary.yaml, and `--update` would take over. */
    entries: list(
      object({
        kind: anyKind,
        id: text,
        name: text,
        place: text,
        status: oneOf('new', 'changed', 'conflict', 'unchanged'),
        changes: changedFields,
        conflicts: changedFields,
      }),
    ),
    /** What the file has and glossary.yaml has no place for. */
    ignored: list(text),
    warnings,
  }),
)

const syncedEntry = object({
  kind: anyKind,
  id: text,
  name: text,
  action: oneOf('add', 'change', 'remove'),
  changes: changedFields,
})

function syncSchema(command: string) {
  return document(
    `svc glossary ${command} --json`,
    object({
      success,
      dry_run: flag,
      /** What was done; with `dry_run` what would be. */
      done: list(syncedEntry),
      /** What only the other direction changes. */
      waiting: list(syncedEntry),
      /** What both sides changed since they were last the same; `base` is what it was then. */
      conflicts: list(
        object({ kind: anyKind, id: text, key: text, base: value, ours: value, theirs: value }),
      ),
      /** What cannot be done, and why. */
      skipped: list(object({ kind: anyKind, id: text, reason: text })),
      warnings,
    }),
  )
}

export const pullSchema = syncSchema('pull')
export const pushSchema = syncSchema('push')

export const glossaryListSchema = document(
  'svc glossary list --json',
  object({
    terms: object({ count, first: list(object(named)), more: flag }),
    metrics: count,
    dimensions: count,
    policies: count,
    links: count,
  }),
)

export const glossarySearchSchema = document(
  'svc glossary search --json',
  object({
    count,
    found: list(object({ kind, ...named })),
  }),
)
