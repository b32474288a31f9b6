/**
 * What a run does, one thing at a time: `plan` shows these steps and `run` executes them. Stages follow each other, and
 * within a stage a step begins as soon as what it waits for is done.
 */
import type { Materialization } from '@svc/server/language'
import type { PointerMoves } from './pointers.ts'

export type Step = FetchStep | ReuseStep | LoadStep | QueryStep | TestStep | PromoteStep | CollectStep

interface CommonStep {
  /** Unique in its plan. */
  readonly id: string
  /** Ids of the steps that must be done first; one that is not in the plan is done already. */
  readonly after: readonly string[]
}

/** Asks a source for its content and keeps that in a spool. */
export interface FetchStep extends CommonStep {
  readonly kind: 'fetch'
  readonly asset: string
}

/** Takes a build that is there. */
export interface ReuseStep extends CommonStep {
  readonly kind: 'reuse'
  readonly asset: string
  readonly key: string
  readonly reason: string | undefined
}

/** Brings one table of what was fetched into the warehouse. */
export interface LoadStep extends CommonStep {
  readonly kind: 'load'
  readonly asset: string
  /** Undefined: the main table, which carries the record of all. */
  readonly child: string | undefined
  /** Undefined: known once the content is. */
  readonly key: string | undefined
}

/** Makes the relation of an asset from its query. */
export interface QueryStep extends CommonStep {
  readonly kind: Materialization['relation']
  readonly asset: string
  /** Undefined: an input is not known yet. */
  readonly key: string | undefined
  /** Key of the load that it reads as its own source. */
  readonly load: string | undefined
  /** In words, such as `because a changed`; undefined where the change of the asset says it all. */
  readonly reason: string | undefined
}

export interface TestStep extends CommonStep {
  readonly kind: 'test'
  readonly asset: string
  readonly test: string
  /** Build keys of everything that it reads, joined; undefined: something of that is not known yet. */
  readonly key: string | undefined
}

/** Makes all builds live at once. */
export interface PromoteStep extends CommonStep {
  readonly kind: 'promote'
  readonly moves: PointerMoves
  /** Number of production views afterwards, changed or not. */
  readonly views: number
}

/** Drops builds that nothing rests on any more. */
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

/** A step that leaves the warehouse as it is; sources are fetched in every run, to see whether they changed. */
export function isIdle(step: Step): boolean {
  if (step.kind === 'promote') return step.moves.views.length === 0 && step.moves.drops.length === 0
  return step.kind === 'fetch' || step.kind === 'reuse' || step.kind === 'collect'
}
