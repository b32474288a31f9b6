/** Schemas of several answers. */
import { type TSchema, Type } from '@sinclair/typebox'
import { versionStatuses } from '../../../server/contract/pack.ts'
import { Count, oneOf, orNull, RecordId, Time } from '../../http/index.ts'

export const Text = Type.String()
export const AnyObject: TSchema = Type.Object({}, { additionalProperties: true })

export const ColumnSchema = Type.Object({
  name: Text,
  type: orNull(Text),
  nullable: Type.Optional(Type.Boolean()),
  description: Type.Optional(orNull(Text)),
  pii: Type.Optional(Type.Boolean()),
  /**
   * Everything that it is made of is hidden in a hash, a count or a comparison: no value of its origins can
   * be read.
   */
  masked: Type.Optional(Type.Boolean()),
})

export const EdgeColumns = Type.Array(
  Type.Object({
    from: Text,
    to: Text,
    /** The transformation, in the words of the tool that made the pack. */
    transform: Type.Optional(Text),
    /** The value cannot be read in `to`: a hash, a count, a comparison. */
    masking: Type.Optional(Type.Boolean()),
  }),
)

export const TestDefinition = Type.Object({
  name: Text,
  type: Text,
  column: orNull(Text),
  severity: oneOf(['error', 'warn']),
  definition: Type.Unknown(),
})

/** interface.md 2.11 */
export const AssetRef = { asset_id: RecordId, asset_name: Text }

export const VersionSchema = Type.Object({
  /** The number from 1, oldest first. */
  version: Type.Integer({ minimum: 1 }),
  hash: Text,
  deployed_at: Time,
  status: oneOf(versionStatuses),
  /** Whether it is the newest deployed version. */
  active: Type.Boolean(),
  source: Text,
  upload_id: RecordId,
  run_id: orNull(Text),
  git: orNull(AnyObject),
})

export const TermLink = Type.Object({
  link: RecordId,
  term: RecordId,
  term_identifier: Text,
  term_name: Text,
  column: orNull(Text),
  role: Text,
})

export const TestSummary = Type.Object({
  total: Count,
  passed: Count,
  failed: Count,
  pass_rate: Type.Number(),
})

/** What the routes about the metadata of a project share. */
export const aboutProject = {
  tag: 'metadata',
  project: { from: 'path', param: 'project' },
  params: Type.Object({ project: RecordId }),
} as const
export const projectPath = '/api/svc/metadata/projects/:project'

export const ColumnChange = Type.Object({
  column: Text,
  change: oneOf(['added', 'removed', 'type', 'nullable', 'pii', 'description']),
  old: Type.Unknown(),
  new: Type.Unknown(),
  /** Whether readers that rely on the column have to change. */
  breaking: Type.Boolean(),
})
