/**
 * Works on several items concurrently, so that one is prepared while the engine works on another. After a
 * failure no further item is started; the error is thrown once none runs, because the database may then be
 * replaced.
 */
export async function sideBySide<T>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values()
  let failure: { readonly error: unknown } | undefined
  const run = async (): Promise<void> => {
    for (const item of rest) {
      if (failure !== undefined) return
      try {
        await work(item)
      } catch (error) {
        failure ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, run))
  if (failure !== undefined) throw failure.error
}
