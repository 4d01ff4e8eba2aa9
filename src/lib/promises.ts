/** Waits for all of them, also if one fails; then throws the first failure. */
export async function allOf<const Values extends readonly unknown[]>(
  promises: Values,
): Promise<{ -readonly [At in keyof Values]: Awaited<Values[At]> }> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}

/** The results of `work`, in the order of the items; it is begun for so many at a time. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  at_once: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let from = 0; from < items.length; from += at_once) {
    results.push(...(await Promise.all(items.slice(from, from + at_once).map(work))))
  }
  return results
}

/** Resolves when all that is already settled has been reacted to. */
export const microtasks = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))
