/** Groups the steps of a plan by stage, as a plan prints them and `plan --json` returns them in `stages`. */
import { isQueryStep, type Step, stepsOf } from './step.ts'

export type Stage =
  | { readonly kind: 'fetch'; readonly assets: readonly string[] }
  /** Assets in dependency order; reused ones are in `reuse`. */
  | { readonly kind: 'build'; readonly assets: readonly string[]; readonly reuse: readonly string[] }
  | { readonly kind: 'test'; readonly tests: readonly StagedTest[] }
  | { readonly kind: 'promote'; readonly views: readonly string[]; readonly drops: readonly string[] }
  | { readonly kind: 'collect' }

export interface StagedTest {
  readonly asset: string
  readonly name: string
  /** Why it runs again although what it reads is as it was. */
  readonly reason?: string
}

export function stagesOf(steps: readonly Step[]): Stage[] {
  const assetOf = ({ asset }: { readonly asset: string }) => asset
  return [
    { kind: 'fetch', assets: stepsOf(steps, 'fetch').map(assetOf) },
    {
      kind: 'build',
      assets: steps.filter(isQueryStep).map(assetOf),
      reuse: stepsOf(steps, 'reuse').map(assetOf),
    },
    {
      kind: 'test',
      tests: stepsOf(steps, 'test').map(({ asset, test, reason }) => ({
        asset,
        name: test,
        ...(reason !== undefined && { reason }),
      })),
    },
    ...stepsOf(steps, 'promote').map(({ moves }): Stage => {
      const { views, drops } = moves
      return { kind: 'promote', views: views.map(assetOf), drops: drops.map(assetOf) }
    }),
    ...stepsOf(steps, 'collect').map((): Stage => ({ kind: 'collect' })),
  ]
}
