/** The two forms of an upload body, and which of their members are used. */
import { Type } from '@sinclair/typebox'
import { ContextPack } from '../../../server/contract/pack.ts'
import { closed } from '../../http/schemas.ts'

export {
  type PackTestResults as TestResultsFileBody,
  TestResultsFile,
} from '../../../server/contract/pack.ts'

export const sourceRule =
  'has to begin with a small letter, and may have small letters, digits, _ and -, at most 32'
export const sourcePattern = '^[a-z][a-z0-9_-]{0,31}$'

export const UploadWrapper = closed({
  context_pack: ContextPack,
  source: Type.Optional(Type.String({ pattern: sourcePattern, rule: sourceRule })),
})

/** The schema of the body in the published document: one of the two forms. */
export const UploadBody = Type.Union([UploadWrapper, ContextPack])

export type AssetBody = ContextPack['assets'][number]
export type ColumnBody = NonNullable<AssetBody['columns']>[number]

/** Another time of writing makes no other pack. */
export const timeOfWriting = 'generated_at' satisfies keyof ContextPack

/** What runs made of an asset. */
export const runFacts = [
  'rows',
  'seconds',
  'last_run',
  'loaded_at',
  'active_hash',
  'deployed_at',
  'deployed_by',
] as const

/** Members of an asset beside its definition. */
export const detailMembers = [
  ...runFacts,
  'freshness',
  'text_hash',
] as const satisfies readonly (keyof AssetBody)[]
