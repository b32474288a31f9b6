/** Reads an upload body in either form. Pure; reports all problems at once. */
import { createHash } from 'node:crypto'
import { ContextPack } from '../../../server/contract/pack.ts'
import { isObject } from '../../http/json-value.ts'
import type { FieldProblem } from '../../http/problems.ts'
import { bodyProblems } from '../../http/validate.ts'
import type { Pack, PackWarning } from './pack.ts'
import { sourcePattern, timeOfWriting, UploadWrapper } from './pack-schema.ts'
import { readAssets } from './read-assets.ts'
import { readGlossary } from './read-glossary.ts'
import { readLineage } from './read-lineage.ts'
import { readResults } from './read-results.ts'
import { readVersions } from './read-versions.ts'

export interface ReadPack {
  readonly pack: Pack
  readonly source: string
  /** A hash of the content, without its creation time. */
  readonly hash: string
}

export type PackOutcome =
  | ({ readonly kind: 'pack' } & ReadPack)
  | { readonly kind: 'problems'; readonly problems: readonly FieldProblem[] }

/**
 * `source` is the query parameter, for a body without one. `isPlain`: the texts of the body are known to
 * contain no control characters.
 */
export function readPack(body: unknown, source: string | undefined, isPlain = false): PackOutcome {
  const form = formOf(body)
  if (form === undefined) return failed([noForm])
  const shape = bodyProblems(form.schema, body, isPlain)
  if (shape.length > 0) return failed(shape)
  const problems: FieldProblem[] = []
  const warnings: PackWarning[] = []
  const context: ReadContext = {
    root: form.root,
    problem: (pointer, code, detail) => problems.push({ pointer, code, detail }),
    warn: (pointer, code, detail) => warnings.push({ code, detail, pointer }),
  }
  const label = labelOf(body, form, source, context)
  const content = form.content as ContextPack
  const pack = assemble(content, context, warnings)
  if (problems.length > 0) return failed(problems)
  return { kind: 'pack', pack, source: label, hash: hashOf(content) }
}

/** The current place in the body, and a callback for problems. */
export interface ReadContext {
  /** The JSON pointer of the pack in the body: '' or '/context_pack'. */
  readonly root: string
  problem(pointer: string, code: string, detail: string): void
  warn(pointer: string, code: string, detail: string): void
}

interface Form {
  readonly schema: typeof UploadWrapper | typeof ContextPack
  readonly root: '' | '/context_pack'
  readonly content: unknown
}

function formOf(body: unknown): Form | undefined {
  if (!isObject(body)) return undefined
  if ('context_pack' in body)
    return { schema: UploadWrapper, root: '/context_pack', content: body.context_pack }
  return 'assets' in body ? { schema: ContextPack, root: '', content: body } : undefined
}

const noForm: FieldProblem = {
  pointer: '',
  code: 'no_pack',
  detail:
    'The body has to be {"context_pack": {…}, "source": "…"} or a context pack itself, with "project" and "assets".',
}

function labelOf(body: unknown, form: Form, given: string | undefined, context: ReadContext): string {
  if (given !== undefined && !new RegExp(sourcePattern).test(given)) {
    context.problem('?source', 'pattern', `"source" has to match ${sourcePattern}.`)
  }
  if (form.root === '') return given ?? 'webhook'
  const { source } = body as { readonly source?: string }
  if (source !== undefined) return source
  if (given === undefined)
    context.warn('/source', 'no_source', 'The body has no "source"; it counts as "cli".')
  return given ?? 'cli'
}

function assemble(body: ContextPack, context: ReadContext, warnings: readonly PackWarning[]): Pack {
  const { project, scope = 'full' } = body
  const id = project.id ?? project.name
  if (id === undefined) {
    context.problem(`${context.root}/project/id`, 'required', 'The project needs an "id".')
  }
  const { assets, leftOut } = readAssets(body, context)
  const names = namesOf(assets)
  const lineage = readLineage(body, names, context)
  const results = readResults(body, names, context)
  const versions = readVersions(body, names, context)
  return {
    project: {
      id: id ?? '',
      name: project.name ?? id ?? '',
      warehouse: project.warehouse ?? null,
      default_schema: project.default_schema ?? null,
    },
    scope,
    assets: withStanding(assets, { results, versions, isWhole: body.test_results !== undefined }),
    outsiders: lineage.outsiders,
    edges: lineage.edges,
    versions,
    leftOut: new Map(assets.map(asset => [asset.identifier, leftOut.get(asset) ?? new Set()])),
    results,
    glossary: readGlossary(body, context),
    git: body.git ?? null,
    said: {
      version: body.version ?? null,
      environment: body.environment ?? null,
      settings_hash: body.settings_hash ?? null,
    },
    warnings,
  }
}

/** Returns the identifier of an asset by any of its names; undefined if the pack does not have it. */
export type Names = (written: string) => string | undefined

function namesOf(assets: Pack['assets']): Names {
  const known = new Map<string, string>()
  for (const { name, identifier } of assets) known.set(name, identifier)
  // An identifier takes precedence over the name of another asset.
  for (const { identifier } of assets) known.set(identifier, identifier)
  return written => known.get(written)
}

/**
 * The hash is fast and depends on the order; a pack with another order is compared later and changes nothing.
 */
function hashOf(content: ContextPack): string {
  const hash = createHash('sha256')
  for (const [name, value] of Object.entries(content)) {
    if (name === timeOfWriting) continue
    hash.update(name)
    const parts: readonly unknown[] = Array.isArray(value) ? value : [value]
    for (const part of parts) hash.update(JSON.stringify(part) ?? '')
  }
  return hash.digest('hex')
}

function failed(problems: readonly FieldProblem[]): PackOutcome {
  return { kind: 'problems', problems }
}

/**
 * Which verdicts stand and which version is live is said with the results and the versions: a rollback brings earlier ones back, or
 * leaves none. What an earlier upload said of it goes where the pack tells versions and does not say which is live.
 */
function withStanding(
  assets: Pack['assets'],
  { results, versions, isWhole }: Pick<Pack, 'results' | 'versions'> & { readonly isWhole: boolean },
): Pack['assets'] {
  const times = new Map(results.map(({ identifier, at }) => [identifier, at]))
  const deployed = new Set(versions.map(({ identifier }) => identifier))
  return assets.map(asset => {
    const { identifier, details } = asset
    const at = times.get(identifier) ?? (isWhole ? null : undefined)
    const isUnsaid = deployed.has(identifier) && details['active_hash'] === undefined
    return {
      ...asset,
      details: {
        ...details,
        ...(at !== undefined && { results_at: at }),
        ...(isUnsaid && { active_hash: undefined, deployed_at: undefined, deployed_by: undefined }),
      },
    }
  })
}
