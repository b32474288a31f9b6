/**
 * Works on several items at a time, so that one is thought about while the engine works on another. After a failure no
 * item is begun any more, and it is thrown once nothing runs: nobody goes on with a database that is another one by then.
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
