/**
 * Does one portion, one item after the other: calls to a provider that were claimed, or work that
 * is found again. An item that fails is postponed; if that fails too, its lease runs out. Throws
 * the first failure when all are done.
 */
export async function callEach<Item>(
  portion: readonly Item[],
  call: (item: Item) => Promise<void>,
  postpone: (item: Item) => Promise<void> = async () => {},
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
