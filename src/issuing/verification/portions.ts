/**
 * Does one claimed portion of calls to a provider, one after the other. A call that fails is
 * postponed; where that fails too, its lease runs out. Throws the first failure when all are done.
 */
export async function callEach<Item>(
  portion: readonly Item[],
  call: (item: Item) => Promise<void>,
  postpone: (item: Item) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = []
  for (const item of portion) {
    try {
      await call(item)
    } catch (error) {
      failures.push(error)
      await postpone(item).catch((cause: unknown) => failures.push(cause))
    }
  }
  if (failures.length > 0) throw failures[0]
}
