/** The arguments of `svc run` for clicked assets. */

export type Reach = 'only' | 'upstream' | 'downstream'

/** Returns one selector per asset: `x`, `+x` or `x+` (interface.md 4.4 rule 2). */
export function selectorsOf(assets: readonly string[], reach: Reach): readonly string[] {
  return assets.map(asset => {
    if (reach === 'upstream') return `+${asset}`
    return reach === 'downstream' ? `${asset}+` : asset
  })
}
