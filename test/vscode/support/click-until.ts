import type { Locator } from 'playwright-core'

/**
 * Clicks until what the click brings is there. A list that is drawn anew between hover and click loses the click or takes
 * it for another row, and a person then clicks again. `row`: where the mouse has to be for `target` to show.
 */
export async function clickUntil(
  target: Locator,
  effect: Locator,
  { row, button = 'left' }: { readonly row?: Locator; readonly button?: 'left' | 'right' } = {},
): Promise<void> {
  for (let attempt = 0; attempt < 6; attempt++) {
    await row?.hover()
    await target.click({ button })
    const isThere = await effect.waitFor({ timeout: 8000 }).then(
      () => true,
      () => false,
    )
    if (isThere) return
  }
  await effect.waitFor()
}
