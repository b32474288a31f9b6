import type { Locator } from 'playwright-core'

export interface ClickOptions {
  /** The row on which the mouse has to be for the target to show. */
  readonly row?: Locator
  readonly button?: 'left' | 'right'
  /** How long the effect may take before the next click, in milliseconds. */
  readonly waitMs?: number
}

/**
 * Clicks until what the click brings is there. A list that is drawn anew between hover and click loses the click or takes
 * it for another row, and a person then clicks again.
 */
export async function clickUntil(
  target: Locator,
  effect: Locator,
  { row, button = 'left', waitMs = 8000 }: ClickOptions = {},
): Promise<void> {
  for (let attempt = 0; attempt < 6; attempt++) {
    await row?.hover()
    await target.click({ button })
    const isThere = await effect.waitFor({ timeout: waitMs }).then(
      () => true,
      () => false,
    )
    if (isThere) return
  }
  await effect.waitFor()
}
