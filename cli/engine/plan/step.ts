/**
 * The steps of a run: `plan` shows them and `run` executes them. Stages run one after another; within a stage
 * a step starts as soon as the steps that it waits for are done.
 */
import type { Materialization } from '@svc/server/language'
import { isStill, type PointerMoves } from './pointers.ts'

export type Step = FetchStep | ReuseStep | LoadStep | QueryStep | TestStep | PromoteStep | CollectStep

interface CommonStep {
  /** Unique in its plan. */
  readonly id: string
  /** The ids of the steps that must be done first; an id that is not in the plan counts as done. */
  readonly after: readonly string[]
}

interface AssetStep extends CommonStep {
  readonly asset: string
}

/** A step that makes a relation. */
interface MakingStep extends AssetStep {
  /** Undefined until all inputs are known. */
  readonly key: string | undefined
  /** What makes its key differ from that of an earlier relation of the same inputs (`renewal.ts`). */
  readonly salt: string | undefined
}

/** Fetches the content of a source into a spool. */
export interface FetchStep extends AssetStep {
  readonly kind: 'fetch'
}

/** Reuses an existing build. */
export interface ReuseStep extends AssetStep {
  readonly kind: 'reuse'
  readonly key: string
  readonly reason: string | undefined
}

/** Loads one fetched table into the warehouse. */
export interface LoadStep extends MakingStep {
  readonly kind: 'load'
  /** Undefined for the main table, whose record covers all tables. */
  readonly child: string | undefined
}

/** Creates the relation of an asset from its query. */
export interface QueryStep extends MakingStep {
  readonly kind: Materialization['relation']
  /** The key of the load that it reads as its own source. */
  readonly load: string | undefined
  /**
   * The reason in words, such as `because a changed`; undefined if the kind of change is explanation enough.
   */
  readonly reason: string | undefined
}

export interface TestStep extends AssetStep {
  readonly kind: 'test'
  readonly test: string
  /** The build keys of everything that it reads, joined; undefined if some of it is not known yet. */
  readonly key: string | undefined
  /** Why it runs again although what it reads is as it was. */
  readonly reason: string | undefined
}

/** Makes all builds live in one transaction. */
export interface PromoteStep extends CommonStep {
  readonly kind: 'promote'
  readonly moves: PointerMoves
  /** The number of production views afterwards, changed or not. */
  readonly views: number
}

/** Deletes builds that are no longer needed. */
export interface CollectStep extends CommonStep {
  readonly kind: 'collect'
}

export type BuildStep = LoadStep | QueryStep

export function isQueryStep(step: Step): step is QueryStep {
  return step.kind === 'table' || step.kind === 'view'
}

export function isBuildStep(step: Step): step is BuildStep {
  return step.kind === 'load' || isQueryStep(step)
}

export function stepsOf<Kind extends Step['kind']>(
  steps: readonly Step[],
  kind: Kind,
): Extract<Step, { readonly kind: Kind }>[] {
  return steps.filter((step): step is Extract<Step, { readonly kind: Kind }> => step.kind === kind)
}

/**
 * Returns whether a step leaves the warehouse unchanged. Fetches do: sources are fetched in every run, to see
 * whether they changed.
 */
export function isIdle(step: Step): boolean {
  if (step.kind === 'promote') return isStill(step.moves)
  return step.kind === 'fetch' || step.kind === 'reuse' || step.kind === 'collect'
}
